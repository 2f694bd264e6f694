package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** A program that runs twice, on two machines or on one: it serves at one end and asks at the other. */
record Peers(Guest server, Guest client) {
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final int TRIES = 10;
    /** How a program ends that took too long. */
    private static final int TERMINATED = 143;
    /** What perftest says to a rejection whose reason is that no program listens there. */
    private static final String NOBODY_LISTENS = "RDMA_CM_EVENT_REJECTED; error: 8";

    /** What the two ends said. */
    record Said(Answer served, Answer asked) {
    }

    /** Runs both to their end, which is to be a good one; gives back what the one that asks said. */
    Answer run(String serving, String asking) {
        return both(serving, asking).asked();
    }

    /** The same; gives back what both said. */
    Said both(String serving, String asking) {
        server.run("serve " + serving, LIMIT).done();
        Answer asked = client.run("timeout 300 " + asking, LIMIT);
        for (int i = 1; i < TRIES && isTooEarly(asked); i++) {
            server.run("kill $(pidof " + program(serving) + "); until_true 300 ended " + program(serving), LIMIT)
                    .done();
            server.run("serve " + serving, LIMIT).done();
            asked = client.run("timeout 300 " + asking, LIMIT);
        }
        Answer served = server.run("served", LIMIT);
        assertThat(asked.status()).as("status of '%s', which said:%n%swhile '%s' said:%n%s", asking, asked.output(),
                serving, served.output()).isZero();
        return new Said(served.done(), asked);
    }

    /**
     * Runs both where packets are lost; false, with both of them ended, if the one that asks was not done in time, or
     * one of them had ended before the other was told that it may.
     *
     * @param seconds for the one that asks
     */
    boolean runWithin(int seconds, String serving, String asking) {
        server.run("serve " + serving, LIMIT).done();
        Answer asked = client.run("timeout " + seconds + " " + asking, LIMIT);
        if (asked.status() == TERMINATED) {
            server.run("kill $(pidof " + program(serving) + "); until_true 300 ended " + program(serving), LIMIT);
            return false;
        }
        Answer served = server.run("served", LIMIT);
        if (isAlone(served) || isAlone(asked)) {
            return false;
        }
        served.done();
        asked.done();
        return true;
    }

    private static boolean isAlone(Answer answer) {
        return answer.status() != 0 && answer.output().contains("transport retry counter exceeded");
    }

    /**
     * With {@code -R} both ends of perftest agree over TCP, and then the one listens and the other connects, neither
     * waiting for the other. The one that was too early is rejected by its peer's kernel, and ends by a fault of its
     * own.
     */
    private static boolean isTooEarly(Answer asked) {
        return asked.status() != 0 && asked.output().contains(NOBODY_LISTENS);
    }

    private static String program(String command) {
        return command.split(" ")[0];
    }
}
