package io.manafold.api.traffic;

/**
 * Packets that were lost at a place. Counters of devices and links say so, which count other packets of that time, too.
 *
 * @param place a device or link: {@code mana1}
 * @param reason what became of them: {@code found no receive buffer}
 */
public record TrafficLoss(long packets, String place, String reason) {
}
