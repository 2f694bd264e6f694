/** The driver's side of the contract: registers, the hardware channel, queues, and how a function is brought up. */
@Export
@Version("2.3.0")
package io.manafold.gdma.driver;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
