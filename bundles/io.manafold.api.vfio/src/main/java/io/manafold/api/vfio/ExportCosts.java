package io.manafold.api.vfio;

/**
 * What it has cost so far to serve a virtual machine: the fewer for a packet, the faster.
 *
 * @param messages that came from it, nearly all of them writes to registers
 * @param systemCalls made to receive them, to answer, and to interrupt
 * @param interrupts that went to it
 */
public record ExportCosts(long messages, long systemCalls, long interrupts) {
    public static final ExportCosts NONE = new ExportCosts(0, 0, 0);
}
