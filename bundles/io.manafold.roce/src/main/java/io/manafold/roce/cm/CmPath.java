package io.manafold.roce.cm;

/**
 * The way between the two ends, as the one that asks sees it.
 *
 * @param localHigh the address of the asking end, first eight bytes
 * @param localLow last eight bytes
 * @param remoteHigh the address of the end that is asked
 * @param flowLabel 20 bits, from which UDP source ports are made
 * @param packetRate code of a static rate, 0 for none
 * @param mtuCode of {@link io.manafold.roce.PathMtu}; not checked
 * @param serviceLevel four bits
 * @param subnetLocal whether no router is between
 * @param acknowledgeTimeout exponent of {@link io.manafold.roce.Timers#acknowledgeNanos}
 */
public record CmPath(long localHigh, long localLow, long remoteHigh, long remoteLow, int flowLabel, int packetRate,
        int trafficClass, int hopLimit, int partitionKey, int mtuCode, int serviceLevel, boolean subnetLocal,
        int acknowledgeTimeout) {
}
