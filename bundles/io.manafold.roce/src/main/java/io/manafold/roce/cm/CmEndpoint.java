package io.manafold.roce.cm;

/**
 * One end of a connection as it tells of itself.
 *
 * @param queuePair its number
 * @param startingPsn the number of the first packet that it expects
 * @param responderResources READs that it answers at once
 * @param initiatorDepth READs that it asks at once
 * @param rnrRetries how often its peer asks again when it is not ready
 * @param flowControl whether it counts credits
 * @param sharedReceives whether its receives are of a shared queue
 */
public record CmEndpoint(int queuePair, int startingPsn, int responderResources, int initiatorDepth, int rnrRetries,
        boolean flowControl, boolean sharedReceives) {
}
