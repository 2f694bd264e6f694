/** What ports plug into: links, the frames on them, and what is done to frames on the way. */
@Export
@Version("2.5.0")
package io.manafold.api.fabric;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
