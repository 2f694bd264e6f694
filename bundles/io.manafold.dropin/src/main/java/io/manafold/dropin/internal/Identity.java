package io.manafold.dropin.internal;

import org.osgi.framework.Version;

/** What a bundle is known by. */
record Identity(String symbolicName, Version version) {
    @Override
    public String toString() {
        return symbolicName + " " + version;
    }
}
