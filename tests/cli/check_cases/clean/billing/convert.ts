interface Rates { readonly [currency: string]: number }

const load = async (base: 'USD' | 'EUR'): Promise<Rates> => (await rates({ base })) as Rates;

function convert(amount: number, from: string, to: string, table: Rates): number {
  const rate = table[to]! / table[from]!;
  return Math.round(amount * rate);
}

const table = await load('USD');
const amounts: Array<[string, number]> = [['EUR', 1250], ['USD', 900]];
const total = amounts.map(([currency, amount]) => convert(amount, currency, 'USD', table)).reduce((a, b) => a + b, 0);
console.log(`total: ${(total / 100).toFixed(2)} USD`);
