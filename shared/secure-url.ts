const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** True for an address to which secrets may go: https, or http on this machine. */
export const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
