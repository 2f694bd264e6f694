package io.manafold.adapter.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What a form for adapters shows; {@link AdapterSettings} reads what comes of it. */
@ObjectClassDefinition(name = "Manafold adapter",
        description = "A software adapter: a function on the bus with ports that links are plugged into.")
@interface AdapterConfig {
    @AttributeDefinition(description = "What it is called; its ports are name/1 and so on.")
    String name() default "one";

    @AttributeDefinition(required = false, description = "Where it is on the bus, as in 7870:00:00.0; the first place "
            + "that is free if left empty.")
    String address() default "";

    @AttributeDefinition(min = "1", max = "8", description = "How many ports it has.")
    int ports() default 1;

    @AttributeDefinition(required = false, description = "The MAC addresses of its ports; made from its address if "
            + "left empty.")
    String[] macs() default {};

    @AttributeDefinition(min = "1", max = "64", description = "Queue pairs of each port, at most.")
    int queues() default 16;

    @AttributeDefinition(min = "10000000", max = "400000000000", description = "How fast each port says it is, in bits "
            + "a second.")
    long speed() default 200_000_000_000L;

    @AttributeDefinition(min = "1514", max = "9014", description = "The longest frame with its header, in bytes.")
    int mtu() default 9014;

    @AttributeDefinition(required = false, description = "The month of the firmware that it behaves like, as in "
            + "2026-10; the newest if left empty.")
    String firmware() default "";

    @AttributeDefinition(description = "Whether drivers can have trees of shapers (full) or what Linux knows (parity).",
            options = {@Option(label = "full", value = "full"), @Option(label = "parity", value = "parity")})
    String shapers() default "full";

    @AttributeDefinition(description = "Which ports speak RDMA.", options = {@Option(label = "off", value = "off"),
        @Option(label = "first", value = "first"), @Option(label = "all", value = "all")})
    String rdma() default "first";

    @AttributeDefinition(min = "0", max = "10000000000", description = "How long a queue pair waits for an "
            + "acknowledgement at least before it repeats what it sent, in nanoseconds; 0 for as short as its driver "
            + "asks for.")
    long rdma$_$timeout() default 50_000_000L;
}
