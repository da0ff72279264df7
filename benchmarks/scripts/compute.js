// Numbers, calls, property access, arrays: a sieve, a recursion, matrices, closures.
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2));

const sieve = new Uint8Array(400_000);
let primes = 0;
for (let i = 2; i < sieve.length; i++) {
  if (sieve[i]) continue;
  primes++;
  for (let j = i * 2; j < sieve.length; j += i) sieve[j] = 1;
}

const size = 60;
const matrix = (seed) => Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => (i * seed + j) % 7));
const [a, b] = [matrix(3), matrix(5)];
let trace = 0;
for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) for (let k = 0; k < size; k++) trace += a[i][k] * b[k][j];

class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  plus(other) {
    return new Point(this.x + other.x, this.y + other.y);
  }
}
let point = new Point(0, 0);
for (let i = 0; i < 60_000; i++) point = point.plus(new Point(i, 1));

return fib(23) === 28657 && primes === 33860 && trace > 0 && point.y === 60_000 ? 'ok' : 'wrong';
