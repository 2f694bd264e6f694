/**
 * What is known of a machine, an image or this platform, and checks that say what is wrong with it and what mends it.
 */
@Export
@Version("1.3.0")
package io.manafold.api.doctor;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
