package io.manafold.ethernet.internal.function;

import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** What a version of the driver can do while another one is still at work: all that is done now is no time without a device. */
final class HeadStart {
    private static final String CLASS = ".class";

    private HeadStart() {
    }

    /** Has all classes of the bundle loaded and checked. */
    static void take(Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        String folder = HeadStart.class.getPackageName().replace('.', '/');
        for (String file : wiring.listResources(folder, '*' + CLASS, BundleWiring.LISTRESOURCES_LOCAL)) {
            String name = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
            try {
                Class.forName(name, true, wiring.getClassLoader());
            } catch (ClassNotFoundException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
