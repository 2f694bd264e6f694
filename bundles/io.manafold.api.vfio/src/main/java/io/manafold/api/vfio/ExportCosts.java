package io.manafold.api.vfio;

/**
 * What it has cost so far to serve a virtual machine: the fewer for a packet, the faster.
 *
 * @param messages that came from it, nearly all of them writes to registers
 * @param systemCalls made to receive them, to answer, and to interrupt
 * @param interrupts that went to it
 * @param stuckInterrupts how often one has had to wait for the virtual machine for more than a second
 */
public record ExportCosts(long messages, long systemCalls, long interrupts, long stuckInterrupts) {
    public static final ExportCosts NONE = new ExportCosts(0, 0, 0, 0);
}
