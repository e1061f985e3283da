/** What the stand-ins are signed to with; they check nothing. */
export const FAKE_CREDENTIALS = { accessKeyId: 'fake-access-key', secretAccessKey: 'fake-secret-key' } as const;
