package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.memory.PacketPool;

/**
 * Where packets of one queue go.
 *
 * @param number of the route, from 0
 */
record Route(int number, EthDev from, int fromQueue, EthDev to, int toQueue, PacketPool pool, Settings settings) {
}
