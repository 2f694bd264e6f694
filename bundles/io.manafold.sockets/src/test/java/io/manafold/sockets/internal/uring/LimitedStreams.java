package io.manafold.sockets.internal.uring;

import io.manafold.api.sockets.Knob;
import io.manafold.streams.Blocks;
import io.manafold.streams.Context;
import io.manafold.streams.Way;
import io.manafold.uring.Restricted;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A process that has all streams of {@link StreamsTest} carried as a plain user under the limits that it was started
 * with.
 */
public final class LimitedStreams {
    private LimitedStreams() {
    }

    public static void main(String[] arguments) throws Exception {
        Restricted.dropCapabilities();
        if (List.of(arguments).contains("no-rings")) {
            Restricted.forbidRings();
        }
        Context context = new Context(new UringTransport(), "limited", Blocks.source());
        context.probe().stream().filter(offer -> offer.knob() == Knob.QUEUES && offer.value().equals("ring"))
                .forEach(offer -> System.out.println("rings: " + offer.why()));
        context.close();
        int passed = 0;
        for (Way way : List.of(new TcpWay("uring", List.of()), new TcpWay("uring", List.of("prefer:memory=registered",
                "prefer:send=zerocopy")))) {
            for (Class<?> one = StreamsTest.class; one != Object.class; one = one.getSuperclass()) {
                for (Method test : one.getDeclaredMethods()) {
                    passed += run(test, way);
                }
            }
        }
        System.out.println("passed: " + passed);
    }

    private static int run(Method test, Way way) throws Exception {
        if (!test.isAnnotationPresent(ParameterizedTest.class)) {
            return 0;
        }
        test.setAccessible(true);
        test.invoke(new StreamsTest(), way);
        return 1;
    }
}
