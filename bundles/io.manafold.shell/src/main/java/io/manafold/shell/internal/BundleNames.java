package io.manafold.shell.internal;

import org.apache.felix.service.command.Converter;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Lets the framework's commands (start, stop, update ...) take bundles by number or symbolic name. */
@Component
public final class BundleNames implements Converter {
    private final BundleContext framework;

    @Activate
    public BundleNames(BundleContext context) {
        this.framework = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getBundleContext();
    }

    @Override
    public Object convert(Class<?> wanted, Object typed) {
        return wanted == Bundle.class && typed instanceof CharSequence ? find(typed.toString()) : null;
    }

    /** The bundle of this number, or the one of this name with the highest version; null if there is none. */
    private Bundle find(String name) {
        Bundle found = null;
        for (Bundle bundle : framework.getBundles()) {
            if (name.equals(String.valueOf(bundle.getBundleId()))) {
                return bundle;
            }
            if (name.equals(bundle.getSymbolicName())
                    && (found == null || bundle.getVersion().compareTo(found.getVersion()) > 0)) {
                found = bundle;
            }
        }
        return found;
    }

    @Override
    public CharSequence format(Object target, int level, Converter converter) {
        return null;
    }
}
