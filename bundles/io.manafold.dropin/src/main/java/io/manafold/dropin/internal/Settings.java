package io.manafold.dropin.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The configuration with PID {@code io.manafold.dropin}. */
@ObjectClassDefinition(name = "Manafold drop-in",
        description = "Watches a folder: a JAR that lies in it is a bundle of the platform.")
public @interface Settings {
    @AttributeDefinition(description = "The folder; by default 'drivers' in the platform's data folder.")
    String folder() default "";

    @AttributeDefinition(description = "For how many milliseconds a file must stand still before it is taken.")
    int standstill() default 200;

    @AttributeDefinition(description = "How many milliseconds lie between two looks at the folder.")
    int poll() default 100;

    @AttributeDefinition(description = "How large a JAR may be, in MiB.")
    int largest() default 64;

    @AttributeDefinition(description = "How many milliseconds a dropped bundle may take to be installed, to start or to"
            + " stop.")
    int limit() default 10_000;
}
