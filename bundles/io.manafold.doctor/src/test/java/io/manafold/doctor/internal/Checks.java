package io.manafold.doctor.internal;

import io.manafold.api.doctor.Check;
import io.manafold.doctor.internal.checks.AdapterCheck;
import io.manafold.doctor.internal.checks.AddressCheck;
import io.manafold.doctor.internal.checks.AllowListsCheck;
import io.manafold.doctor.internal.checks.DataPathCheck;
import io.manafold.doctor.internal.checks.DriverCheck;
import io.manafold.doctor.internal.checks.DriverIdCheck;
import io.manafold.doctor.internal.checks.FailsafeCheck;
import io.manafold.doctor.internal.checks.HandshakeCheck;
import io.manafold.doctor.internal.checks.HugeFilesCheck;
import io.manafold.doctor.internal.checks.HugePagesCheck;
import io.manafold.doctor.internal.checks.JumboCheck;
import io.manafold.doctor.internal.checks.LegacyFlagCheck;
import io.manafold.doctor.internal.checks.MacFilterCheck;
import io.manafold.doctor.internal.checks.PairingCheck;
import io.manafold.doctor.internal.checks.PortReleasedCheck;
import io.manafold.doctor.internal.checks.ProcessesCheck;
import io.manafold.doctor.internal.checks.PromiscuousCheck;
import io.manafold.doctor.internal.checks.ProviderCheck;
import io.manafold.doctor.internal.checks.QueuesCheck;
import io.manafold.doctor.internal.checks.RingsCheck;
import io.manafold.doctor.internal.checks.SshSafetyCheck;
import io.manafold.doctor.internal.checks.VersionsCheck;
import java.util.List;

/** Those of the platform, without a framework that finds them. */
final class Checks {
    private Checks() {
    }

    static List<Check> all() {
        return List.of(new AdapterCheck(), new DriverCheck(), new HandshakeCheck(), new VersionsCheck(),
                new PairingCheck(), new DataPathCheck(), new AddressCheck(), new PortReleasedCheck(),
                new HugePagesCheck(), new HugeFilesCheck(), new DriverIdCheck(), new ProviderCheck(),
                new MacFilterCheck(), new QueuesCheck(), new RingsCheck(), new FailsafeCheck(), new LegacyFlagCheck(),
                new JumboCheck(), new ProcessesCheck(), new SshSafetyCheck(), new PromiscuousCheck(),
                new AllowListsCheck());
    }
}
