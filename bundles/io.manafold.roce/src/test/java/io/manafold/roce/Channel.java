package io.manafold.roce;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A path that loses, repeats and delays packets: each takes a while of its own, so that some overtake others. */
final class Channel {
    /** A packet with its payload's numbers on the way. */
    static final class Flight {
        long due;
        Packet packet;
        long[] payload;
    }

    final double loss;
    final double repetition;
    final double delay;
    final Random random;
    private final List<Flight> flights = new ArrayList<>();

    Channel(Random random, double loss, double repetition, double delay) {
        this.random = random;
        this.loss = loss;
        this.repetition = repetition;
        this.delay = delay;
    }

    void send(long now, Packet packet, long[] payload) {
        if (random.nextDouble() < loss) {
            return;
        }
        add(now, packet, payload);
        if (random.nextDouble() < repetition) {
            add(now, packet, payload);
        }
    }

    private void add(long now, Packet packet, long[] payload) {
        Flight flight = new Flight();
        flight.due = now + 1000 + (random.nextDouble() < delay ? random.nextInt(20_000) : 0);
        flight.packet = copy(packet);
        flight.payload = payload;
        int place = flights.size();
        while (place > 0 && flights.get(place - 1).due > flight.due) {
            place--;
        }
        flights.add(place, flight);
    }

    /** What has arrived, {@code null} if nothing. */
    Flight poll(long now) {
        return flights.isEmpty() || flights.get(0).due > now ? null : flights.remove(0);
    }

    long due() {
        return flights.isEmpty() ? Long.MAX_VALUE : flights.get(0).due;
    }

    private static Packet copy(Packet from) {
        Packet to = new Packet();
        to.opcode = from.opcode;
        to.solicited = from.solicited;
        to.acknowledgeRequest = from.acknowledgeRequest;
        to.psn = from.psn;
        to.remoteAddress = from.remoteAddress;
        to.remoteKey = from.remoteKey;
        to.dmaLength = from.dmaLength;
        to.syndrome = from.syndrome;
        to.msn = from.msn;
        to.immediate = from.immediate;
        to.invalidatedKey = from.invalidatedKey;
        to.payloadBytes = from.payloadBytes;
        return to;
    }
}
