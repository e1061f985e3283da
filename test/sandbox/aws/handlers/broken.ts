throw new TypeError('broken at import');
