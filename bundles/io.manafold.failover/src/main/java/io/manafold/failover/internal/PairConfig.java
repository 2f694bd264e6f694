package io.manafold.failover.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** What a configuration says of a pair. */
@ObjectClassDefinition(name = "Manafold pair", description = "A synthetic device and the virtual function of a port, "
        + "as one network device.")
public @interface PairConfig {
    @AttributeDefinition(description = "What the network device above both is called.")
    String name();

    @AttributeDefinition(description = "The port whose virtual function it is: adapter/port, counted from 1.")
    String port();

    @AttributeDefinition(description = "The longest packet it sends, in bytes.")
    int mtu() default 1500;

    @AttributeDefinition(required = false, description = "Its addresses with their prefix lengths.")
    String[] addresses() default {};

    @AttributeDefinition(description = "Whether it is up.")
    boolean up() default true;

    @AttributeDefinition(required = false, description = "The tap interface that leads to the kernel behind it.")
    String tap();
}
