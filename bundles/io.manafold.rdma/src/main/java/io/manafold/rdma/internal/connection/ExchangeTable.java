package io.manafold.rdma.internal.connection;

import io.manafold.api.rdma.Gid;
import io.manafold.roce.cm.CmRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** Which exchanges there are, by what each end calls them. For one thread. */
final class ExchangeTable {
    /** What a peer calls something: a request of its node, or a queue pair. */
    private record Named(Gid peer, long guid, int number) {
    }

    private final IntSupplier numbers;
    private final Map<Integer, Exchange> byId = new HashMap<>();
    private final Map<Named, PassiveSide> byRequest = new HashMap<>();
    private final Map<Named, Exchange> byPair = new HashMap<>();

    /** @param numbers by which they are known; not to be guessed by others */
    ExchangeTable(IntSupplier numbers) {
        this.numbers = numbers;
    }

    int size() {
        return byId.size();
    }

    List<Exchange> all() {
        return new ArrayList<>(byId.values());
    }

    /** A number that none has. */
    int newId() {
        int id;
        do {
            id = numbers.getAsInt();
        } while (id == 0 || byId.containsKey(id));
        return id;
    }

    void add(Exchange exchange) {
        byId.put(exchange.localId, exchange);
        if (exchange instanceof PassiveSide asked) {
            byRequest.put(request(asked), asked);
        }
    }

    void remove(Exchange exchange) {
        byId.remove(exchange.localId);
        byPair.remove(pair(exchange), exchange);
        if (exchange instanceof PassiveSide asked) {
            byRequest.remove(request(asked), asked);
        }
    }

    private static Named request(PassiveSide asked) {
        return new Named(asked.ends.remote(), asked.request().nodeGuid(), asked.request().localId());
    }

    private static Named pair(Exchange exchange) {
        return new Named(exchange.ends.remote(), exchange.peerGuid, exchange.peerPair);
    }

    /** False if the peer's queue pair has another connection here. */
    boolean claimPair(Exchange exchange) {
        return byPair.putIfAbsent(pair(exchange), exchange) == null;
    }

    /** The one with a number of this end, or {@code null}. */
    Exchange find(int id) {
        return byId.get(id);
    }

    /** The one that a peer began with a request of this number, or {@code null}. */
    PassiveSide ofRequest(AddressPair ends, long guid, int number) {
        return byRequest.get(new Named(ends.remote(), guid, number));
    }

    /** The one that a peer's queue pair has, or {@code null}. */
    Exchange ofPair(AddressPair ends, CmRequest request) {
        return byPair.get(new Named(ends.remote(), request.nodeGuid(), request.endpoint().queuePair()));
    }
}
