/** Functions lent to virtual machines, and borrowed from others. */
@Export
@Version("1.2.0")
package io.manafold.api.vfio;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
