package io.manafold.lab.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Configurations in memory, with a diary of what was done to them. */
final class MemoryConfigurations implements ConfigurationAdmin {
    final List<String> diary = new ArrayList<>();
    final Map<String, Dictionary<String, Object>> contents = new TreeMap<>();
    /** Which writes fail, by the line they would make in the diary. */
    Predicate<String> fails = _ -> false;

    @Override
    public Configuration getConfiguration(String pid, String location) {
        return new Held(pid);
    }

    @Override
    public Configuration getFactoryConfiguration(String factoryPid, String name, String location) {
        return new Held(factoryPid + "~" + name);
    }

    @Override
    public Configuration[] listConfigurations(String filter) throws InvalidSyntaxException {
        Filter wanted = FrameworkUtil.createFilter(filter);
        Configuration[] found = contents.keySet().stream().map(Held::new)
                .filter(held -> wanted.match(held.getProperties())).toArray(Configuration[]::new);
        return found.length == 0 ? null : found;
    }

    private void write(String line) throws IOException {
        if (fails.test(line)) {
            throw new IOException("the disk is full");
        }
        diary.add(line);
    }

    private final class Held implements Configuration {
        private final String pid;

        Held(String pid) {
            this.pid = pid;
        }

        @Override
        public String getPid() {
            return pid;
        }

        @Override
        public Dictionary<String, Object> getProperties() {
            Dictionary<String, Object> held = contents.get(pid);
            if (held == null) {
                return null;
            }
            Hashtable<String, Object> copy = new Hashtable<>();
            Collections.list(held.keys()).forEach(key -> copy.put(key, held.get(key)));
            copy.put("service.pid", pid);
            if (pid.contains("~")) {
                copy.put("service.factoryPid", getFactoryPid());
            }
            return copy;
        }

        @Override
        public void update(Dictionary<String, ?> properties) throws IOException {
            write("update " + pid);
            Hashtable<String, Object> copy = new Hashtable<>();
            Collections.list(properties.keys()).forEach(key -> copy.put(key, properties.get(key)));
            contents.put(pid, copy);
        }

        @Override
        public void delete() throws IOException {
            write("delete " + pid);
            contents.remove(pid);
        }

        @Override
        public String getFactoryPid() {
            return pid.substring(0, pid.indexOf('~'));
        }

        @Override
        public Dictionary<String, Object> getProcessedProperties(ServiceReference<?> reference) {
            return getProperties();
        }

        @Override
        public void update() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean updateIfDifferent(Dictionary<String, ?> properties) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setBundleLocation(String location) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getBundleLocation() {
            return "?";
        }

        @Override
        public long getChangeCount() {
            return 0;
        }

        @Override
        public void addAttributes(ConfigurationAttribute... attributes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<ConfigurationAttribute> getAttributes() {
            return Set.of();
        }

        @Override
        public void removeAttributes(ConfigurationAttribute... attributes) {
            throw new UnsupportedOperationException();
        }
    }

    @Override
    public Configuration createFactoryConfiguration(String factoryPid) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Configuration createFactoryConfiguration(String factoryPid, String location) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Configuration getConfiguration(String pid) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Configuration getFactoryConfiguration(String factoryPid, String name) {
        throw new UnsupportedOperationException();
    }
}
