package io.manafold.commands.rdma.internal;

/**
 * Memory of the other end.
 *
 * @param address what requests call its first byte
 * @param key names it in requests
 */
record RemoteMemory(long address, int key) {
}
