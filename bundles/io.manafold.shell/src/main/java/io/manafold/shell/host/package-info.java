/** For hosts that have a shell of their own, and for tests of commands. */
@Export
@Version("1.1.0")
package io.manafold.shell.host;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
