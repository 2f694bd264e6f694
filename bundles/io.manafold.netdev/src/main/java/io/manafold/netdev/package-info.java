/** What all network devices have in common: who stands above them, who watches, and commands on their thread. */
@Export
@Version("1.0.1")
package io.manafold.netdev;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
