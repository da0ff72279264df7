const commits = (await git.log({ count: 50, path: 'src' })).trim().split('\n').map((line) => line.split(' ')[0]);
const isBad = async (commit) => (await git.show({ commit })).includes('src/broken.c');

let [low, high] = [0, commits.length - 1];
while (low < high) {
  const middle = (low + high) >> 1;
  if (await isBad(commits[middle])) high = middle;
  else low = middle + 1;
}
console.log(commits[low] ?? 'none');
