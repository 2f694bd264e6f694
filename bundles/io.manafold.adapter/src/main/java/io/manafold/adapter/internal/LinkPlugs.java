package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.api.fabric.Link;
import io.manafold.api.refusal.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plugs ports into the links that are meant for them. Links come and go on any thread, before and after the ports. */
final class LinkPlugs {
    private static final Logger LOG = LoggerFactory.getLogger(LinkPlugs.class);

    private final Map<Link, List<String>> links = new LinkedHashMap<>();
    private AdapterFunction function;

    /** From now on there are ports. */
    void open(AdapterFunction owner) {
        synchronized (links) {
            function = owner;
        }
        owner.control().execute(() -> plug(owner));
    }

    void add(Link link, Map<String, Object> properties) {
        AdapterFunction owner;
        synchronized (links) {
            links.put(link, ports(properties));
            owner = function;
        }
        if (owner != null) {
            owner.control().execute(() -> plug(owner));
        }
    }

    /** When this returns the link has no plug of ours any more. */
    void remove(Link link) {
        AdapterFunction owner;
        synchronized (links) {
            links.remove(link);
            owner = function;
        }
        if (owner != null) {
            owner.control().await(() -> {
                owner.hardware().ports().forEach(port -> port.detach(link));
                plug(owner);
            });
        }
    }

    void close() {
        synchronized (links) {
            function = null;
        }
    }

    private static List<String> ports(Map<String, Object> properties) {
        return properties.get(Link.PORTS) instanceof String[] names ? List.of(names) : List.of();
    }

    /** On the control agent: each port that is free goes into the first link that is meant for it. */
    private void plug(AdapterFunction owner) {
        Map<Link, List<String>> now;
        synchronized (links) {
            now = new LinkedHashMap<>(links);
        }
        for (EthernetPort port : owner.hardware().ports()) {
            now.forEach((link, names) -> {
                if (!names.contains(port.name())) {
                    port.detach(link);
                }
            });
            for (Map.Entry<Link, List<String>> one : now.entrySet()) {
                if (port.status().link() == null && one.getValue().contains(port.name())) {
                    plug(port, one.getKey());
                }
            }
        }
        owner.linksChanged();
    }

    private static void plug(EthernetPort port, Link link) {
        try {
            port.attach(link);
        } catch (Refusal refused) {
            LOG.warn("{} is not plugged into {}: {}", port.name(), link.name(), refused.getMessage());
        } catch (RuntimeException failed) {
            LOG.warn("{} is not plugged into {}", port.name(), link.name(), failed);
        }
    }
}
