/**
 * RoCEv2 as bytes and rules: packets, their invariant CRC, both ends of a reliable connection, its rate and its timers.
 */
@Export
@Version("2.0.0")
package io.manafold.roce;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
