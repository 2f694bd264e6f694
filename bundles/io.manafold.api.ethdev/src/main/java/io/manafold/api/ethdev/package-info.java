/**
 * Ethernet ports in poll mode: an environment is started from words, has ports, and moves bursts of packets that are
 * numbers.
 */
@Export
@Version("1.5.0")
package io.manafold.api.ethdev;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
