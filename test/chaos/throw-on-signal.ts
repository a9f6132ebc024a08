// Loaded into a process by `--import`: SIGHUP is a defect that nobody catches, SIGWINCH a promise that nobody awaits.
process.on('SIGHUP', () => {
  throw new Error('a defect for the test')
})
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('a rejection for the test'))
})
