process.stdout.write('past the writer');
