package io.manafold.sockets.internal.server;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The configuration that a component was made by. Only used by what has one, so that platforms without configurations
 * need no more.
 */
final class OwnConfiguration {
    private OwnConfiguration() {
    }

    /** Deletes it: what it asked for is not wanted any more. */
    static void delete(BundleContext context, String pid) {
        ServiceReference<ConfigurationAdmin> reference = context.getServiceReference(ConfigurationAdmin.class);
        ConfigurationAdmin admin = reference == null ? null : context.getService(reference);
        if (admin == null) {
            return;
        }
        try {
            Configuration[] found = admin.listConfigurations("(service.pid=" + pid + ")");
            if (found != null) {
                found[0].delete();
            }
        } catch (IllegalStateException _) {
            // it was deleted meanwhile
        } catch (IOException | InvalidSyntaxException failed) {
            throw new Refusal(Errno.EIO, "The configuration " + pid + " cannot be taken away: " + failed.getMessage()
                    + ".", failed);
        } finally {
            context.ungetService(reference);
        }
    }
}
