/** What the codes of system calls that a person must act on mean, and what to do; for the others the code says enough. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left; free some on this filesystem (df -h, df -i)',
  EDQUOT: 'the disk quota is used up; free some space or raise it',
  EROFS: 'the filesystem is read-only; mount it writable, and look in the kernel log for why it is not',
  EPERM: 'not permitted; look for an immutable attribute (lsattr) and take it away (chattr -i)',
  EACCES: 'not permitted; the daemon must run as root, and a security module must let it',
  EIO: 'the disk reports an error; look in the kernel log and replace the disk',
  EISDIR: 'a directory is in the way; move it away',
  ENOTEMPTY: 'a directory that is not empty is in the way; move it away',
  EBUSY: 'something is mounted there or uses it; unmount it',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this system; raise fs.file-max',
}

export const describeSystemError = (code: string): string => {
  const remedy = remedies[code]
  return remedy === undefined ? code : `${code}, ${remedy}`
}
