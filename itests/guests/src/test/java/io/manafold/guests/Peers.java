package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

/** A program that runs twice, on two machines or on one: it serves at one end and asks at the other. */
record Peers(Guest server, Guest client) {
    private static final Duration LIMIT = Duration.ofMinutes(6);

    /** Runs both to their end, which is to be a good one; gives back what the one that asks said. */
    Answer run(String serving, String asking) {
        server.run("serve " + serving, LIMIT).done();
        Answer asked = client.run("timeout 300 " + asking, LIMIT);
        Answer served = server.run("served", LIMIT);
        assertThat(asked.status()).as("status of '%s', which said:%n%swhile '%s' said:%n%s", asking, asked.output(),
                serving, served.output()).isZero();
        served.done();
        return asked;
    }
}
