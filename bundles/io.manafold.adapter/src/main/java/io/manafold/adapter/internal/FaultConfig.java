package io.manafold.adapter.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What a form for faults shows; {@link FaultComponent} reads what comes of it. */
@ObjectClassDefinition(name = "Manafold fault", description = "Something that an adapter does wrong on purpose, or a "
        + "script of such things.")
@interface FaultConfig {
    @AttributeDefinition(description = "What it is called.")
    String name() default "fault";

    @AttributeDefinition(description = "The name of the adapter that misbehaves.")
    String adapter() default "one";

    @AttributeDefinition(required = false, description = "The hardware-channel message whose answer goes wrong, as in "
            + "configure-vport-tx; the next of any kind if left empty.")
    String message() default "";

    @AttributeDefinition(description = "What is wrong with the answer.",
            options = {@Option(label = "status", value = "status"), @Option(label = "late", value = "late"),
                @Option(label = "twice", value = "twice"), @Option(label = "short", value = "short"),
                @Option(label = "oversized", value = "oversized"), @Option(label = "reordered", value = "reordered"),
                @Option(label = "withhold", value = "withhold")})
    String effect() default "status";

    @AttributeDefinition(description = "The status that the answer carries, with the effect status; 3221225506 is "
            + "0xc0000022.")
    long status() default 0xc000_0022L;

    @AttributeDefinition(description = "How late the answer comes, with the effect late, in nanoseconds.")
    long delay() default 0;

    @AttributeDefinition(description = "Whether it is spent after one answer.")
    boolean once() default false;

    @AttributeDefinition(required = false, description = "Lines as 'fault script' takes them; if there are any, they "
            + "are what happens, and not what stands above.")
    String[] script() default {};
}
