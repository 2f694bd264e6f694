package io.manafold.rdma.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.Gid;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmEndpoint;
import io.manafold.roce.cm.CmPath;
import io.manafold.roce.cm.CmReply;
import io.manafold.roce.cm.CmRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/**
 * The connections of two nodes, time that tests turn, and a path between them that loses, repeats and delays messages.
 */
final class TwoEnds {
    static final long SECOND = 1_000_000_000L;
    static final int PORT = 7471;
    private static final int MTU_1024 = 3;

    final Random random;
    final Node left;
    final Node right;
    double loss;
    double repetition;
    double delay;
    long now = 1000 * SECOND;
    private final Queue<Flight> flights = new PriorityQueue<>(Comparator.comparingLong(Flight::due));

    private record Flight(long due, Node to, Gid from, Gid at, byte[] mad) {
    }

    TwoEnds(long seed) {
        random = new Random(seed);
        left = new Node(1);
        right = new Node(2);
    }

    Node other(Node node) {
        return node == left ? right : left;
    }

    /** Lets time pass, step by step. */
    void pass(long nanos) {
        long end = now + nanos;
        while (true) {
            long next = Math.min(Math.min(left.exchanges.deadline(), right.exchanges.deadline()),
                    flights.isEmpty() ? Long.MAX_VALUE : flights.peek().due);
            if (next > end) {
                now = end;
                return;
            }
            now = Math.max(now, next);
            while (!flights.isEmpty() && flights.peek().due <= now) {
                Flight flight = flights.remove();
                flight.to.exchanges.datagram(flight.from, flight.at, flight.mad, now);
            }
            left.exchanges.expire(now, 64);
            right.exchanges.expire(now, 64);
        }
    }

    /** What one end of a connection was told. */
    final class User implements ExchangeListener {
        final List<String> told = new ArrayList<>();
        Exchange exchange;
        boolean willing = true;
        byte[] said = {};
        Errno errno;
        int reason;

        @Override
        public void replied(CmReply reply) {
            told.add("replied");
            said = reply.privateData();
            if (willing) {
                ((ActiveSide) exchange).proceed();
            } else {
                ((ActiveSide) exchange).refuse();
            }
        }

        @Override
        public void established(byte[] privateData) {
            told.add("established");
        }

        @Override
        public void rejected(int number, byte[] privateData) {
            told.add("rejected");
            reason = number;
            said = privateData;
        }

        @Override
        public void unreachable(Errno what, String sentence) {
            told.add("unreachable");
            errno = what;
        }

        @Override
        public void disconnected(Errno what, String sentence) {
            told.add("disconnected");
            errno = what;
        }
    }

    /** One of the two, at 10.0.0.n. */
    final class Node implements Link, Backlog {
        final Gid gid;
        final int number;
        final Exchanges exchanges;
        final Deque<PassiveSide> requests = new ArrayDeque<>();
        final List<byte[]> sent = new ArrayList<>();
        int backlog = 8;
        int inside;
        boolean listens = true;
        int unknownFor;
        boolean lost;
        int mtuCode = MTU_1024;
        private int nextPair = 0x100;

        Node(int number) {
            this.number = number;
            gid = Gid.ofIpv4(0x0a00_0000 | number);
            exchanges = new Exchanges(this, Timing.USUAL, random::nextInt);
        }

        User connect() {
            return connect(nextPair += 4, new byte[] {7});
        }

        User connect(int pair, byte[] data) {
            User user = new User();
            Gid to = other(this).gid;
            CmPath path = new CmPath(gid.high(), gid.low(), to.high(), to.low(), 0, 0, 0, 64, 0xffff, MTU_1024, 0,
                    false, 18);
            byte[] all = new CmAddresses(false, 40_000, 0, gid.low(), 0, to.low()).encode(data);
            user.exchange = exchanges.connect(new AddressPair(gid, to),
                    new CmRequest(0, CmAddresses.serviceId(CmAddresses.PORTS_TCP, PORT), guid(),
                    new CmEndpoint(pair, 5, 16, 16, 7, false, false), path, 0, 20, 20, 7, 15, all), user, now, 0);
            return user;
        }

        /** Accepts the oldest request. */
        User accept(byte[] data) {
            User user = new User();
            PassiveSide asked = requests.remove();
            user.exchange = asked;
            asked.accept(new CmEndpoint(nextPair += 4, 6, 16, 16, 7, false, false), data, user, now);
            return user;
        }

        @Override
        public void send(AddressPair ends, MacAddress mac, byte[] mad) {
            sent.add(mad);
            if (random.nextDouble() >= loss) {
                fly(ends, mad);
                if (random.nextDouble() < repetition) {
                    fly(ends, mad);
                }
            }
        }

        private void fly(AddressPair ends, byte[] mad) {
            long late = random.nextDouble() < delay ? (long) (random.nextDouble() * 6 * SECOND) : 0;
            flights.add(new Flight(now + 10_000 + late, other(this), ends.local(), ends.remote(), mad));
        }

        @Override
        public void answer(AddressPair ends, byte[] mad) {
            send(ends, null, mad);
        }

        @Override
        public Optional<MacAddress> find(AddressPair ends) {
            if (lost) {
                throw new Refusal(Errno.EHOSTUNREACH, "it does not answer");
            }
            return unknownFor-- > 0 ? Optional.empty() : Optional.of(new MacAddress(number));
        }

        @Override
        public boolean has(Gid local) {
            return local.equals(gid);
        }

        @Override
        public int mtuCode() {
            return mtuCode;
        }

        @Override
        public long guid() {
            return 0x0200_00ff_fe00_0000L | number;
        }

        @Override
        public Backlog listener(Gid local, int port) {
            return listens && port == PORT ? this : null;
        }

        @Override
        public boolean enter() {
            if (inside == backlog) {
                return false;
            }
            inside++;
            return true;
        }

        @Override
        public void deliver(PassiveSide request) {
            requests.add(request);
        }

        @Override
        public void leave() {
            inside--;
        }
    }

    /** All has come to its end, and nothing is left. */
    void assertClean() {
        pass(200 * SECOND);
        assertThat(left.exchanges.size()).isZero();
        assertThat(right.exchanges.size()).isZero();
        assertThat(right.inside).isZero();
    }

    /** The users of a connection that is established. */
    User[] connected() {
        User asking = left.connect();
        pass(SECOND / 100);
        User asked = right.accept(new byte[] {8, 9});
        pass(SECOND / 100);
        assertThat(asking.told).containsExactly("replied", "established");
        assertThat(asked.told).containsExactly("established");
        return new User[] {asking, asked};
    }
}
