package io.manafold.itests.embedding;

import aQute.bnd.build.Workspace;
import aQute.bnd.osgi.Processor;
import aQute.bnd.osgi.repository.ResourcesRepository;
import aQute.bnd.osgi.resource.ResourceBuilder;
import aQute.bnd.osgi.resource.ResourceUtils;
import biz.aQute.resolve.BndResolver;
import biz.aQute.resolve.ResolveProcess;
import biz.aQute.resolve.ResolverLogger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.osgi.resource.Resource;
import org.osgi.service.resolver.ResolutionException;

/** What bnd's resolver answers to requirements, out of the jars that the product is put together from. */
final class Resolution {
    private final Workspace workspace;

    Resolution(Jars jars) throws Exception {
        this(resources(jars));
    }

    Resolution(Collection<Resource> resources) throws Exception {
        ResourcesRepository repository = new ResourcesRepository(resources);
        workspace = Workspace.createStandaloneWorkspace(new Processor(), Features.ROOT.toUri());
        workspace.addBasicPlugin(repository);
    }

    private static List<Resource> resources(Jars jars) throws Exception {
        List<Resource> resources = new ArrayList<>();
        for (Path jar : jars.ofTheProduct()) {
            ResourceBuilder resource = new ResourceBuilder();
            resource.addFile(jar.toFile(), jar.toUri());
            resources.add(resource.build());
        }
        return resources;
    }

    /** As {@code -runrequires} has it. */
    static String service(String type) {
        return "osgi.service;filter:='(objectClass=" + type + ")'";
    }

    /** The jars that answer the requirements, and no others. */
    Set<Path> of(Collection<String> requirements) throws Exception {
        try (Processor composition = new Processor(); ResolverLogger log = new ResolverLogger(0)) {
            composition.setProperty("-runfw", "org.apache.felix.framework");
            composition.setProperty("-runee", "JavaSE-25");
            composition.setProperty("-resolve.effective", "active");
            composition.setProperty("-runrequires", String.join(",", requirements));
            Set<Resource> resolved = new ResolveProcess()
                    .resolveRequired(composition, null, workspace, new BndResolver(log), List.of(), log).keySet();
            // the part of a jar for newer Javas is a resource of its own beside the jar, with no file
            return resolved.stream().map(ResourceUtils::getContentCapability).filter(Objects::nonNull)
                    .map(content -> content.url()).filter(url -> url.getScheme().equals("file")).map(Path::of)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (ResolutionException e) {
            throw new AssertionError("not resolved: " + requirements + "\n" + ResolveProcess.format(e), e);
        }
    }
}
