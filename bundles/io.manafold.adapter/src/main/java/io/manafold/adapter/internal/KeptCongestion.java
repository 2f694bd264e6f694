package io.manafold.adapter.internal;

import io.manafold.adapter.internal.rdma.RdmaEngine;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Refusal;
import io.manafold.roce.DcqcnParameter;
import io.manafold.roce.DcqcnSettings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an administrator has set of an adapter's congestion control: in force, and kept for the adapter's return where
 * the platform keeps settings. Each driver that comes begins with what is kept.
 */
final class KeptCongestion {
    private static final Logger LOG = LoggerFactory.getLogger(KeptCongestion.class);
    private static final int PORT = 1;

    private final AdapterFunction function;
    /** {@code null} where nothing is kept. */
    private volatile SavedSettings store;

    KeptCongestion(AdapterFunction function) {
        this.function = function;
    }

    private List<RdmaEngine> engines() {
        return function.hardware().engines();
    }

    /** Settings are kept there from now on, and what is there is in force soon; {@code null} for nowhere. */
    void store(SavedSettings saved) {
        store = saved;
        if (saved != null) {
            function.control().execute(this::restore);
        }
    }

    private static String subject(SavedSettings saved, AdapterFunction function) {
        return saved.subject(SavedSettings.RDMA, function.address(), PORT);
    }

    /** What is kept is in force, or what adapters have from the factory; on the control agent. */
    void restore() {
        SavedSettings saved = store;
        if (saved == null || engines().isEmpty()) {
            return;
        }
        DcqcnSettings settings = DcqcnSettings.usual();
        for (Map.Entry<String, String> kept : saved.read(subject(saved, function)).entrySet()) {
            DcqcnParameter parameter = DcqcnParameter.of(kept.getKey());
            if (parameter != null) {
                settings = with(settings, parameter, kept.getValue());
            }
        }
        inForce(settings);
    }

    private DcqcnSettings with(DcqcnSettings settings, DcqcnParameter parameter, String value) {
        try {
            return settings.with(parameter, Integer.parseInt(value));
        } catch (NumberFormatException | Refusal senseless) {
            LOG.warn("{}: what was kept of {} makes no sense and is left out: {}", function.hardware().settings()
                    .name(), parameter.label(), value);
            return settings;
        }
    }

    /** All queue pairs, and those that are made later, send so; on the control agent. */
    void inForce(DcqcnSettings settings) {
        Session session = function.session();
        RdmaClient client = session == null ? null : session.rdma();
        for (RdmaEngine engine : engines()) {
            engine.dcqcn(settings, client == null ? List.of() : client.pairs(engine));
        }
    }

    /**
     * Keeps what differs from the factory's.
     *
     * @throws io.manafold.api.refusal.NotKept if that cannot be now
     */
    void keep(DcqcnSettings settings) {
        SavedSettings saved = store;
        if (saved == null) {
            return;
        }
        Map<String, String> words = new TreeMap<>();
        for (DcqcnParameter parameter : DcqcnParameter.values()) {
            int value = settings.get(parameter);
            if (value != parameter.usual()) {
                words.put(parameter.label(), Integer.toString(value));
            }
        }
        saved.write(subject(saved, function), words);
    }
}
