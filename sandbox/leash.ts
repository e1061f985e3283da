/**
 * Loaded before the program of a forked process, so that it ends with the one that forked it, however that ends.
 */
process.on('disconnect', () => process.exit());
// It is no reason to stay.
process.channel?.unref();
