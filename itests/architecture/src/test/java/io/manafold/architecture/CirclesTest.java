package io.manafold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CirclesTest {
    private static final Path BUNDLES = Path.of("..", "..", "bundles");
    /** What three classes have between them can still be read in one go. */
    private static final int MOST = 3;

    private static Arrows of(String bundle) {
        Arrows arrows = Arrows.among(BUNDLES.resolve(bundle).resolve("target/classes"), bundle + ".internal");
        assertThat(arrows.size()).as("classes of %s that were read", bundle).isGreaterThan(50);
        return arrows;
    }

    @Test
    void thePackagesOfTheEthernetDriverUseOnlyThoseBelow() {
        Arrows packages = of("io.manafold.ethernet").by(Arrows::packageOf);
        List<String> order = List.of("queue", "user", "port", "function");
        for (int below = 0; below < order.size(); below++) {
            for (int above = below + 1; above < order.size(); above++) {
                String root = "io.manafold.ethernet.internal.";
                assertThat(packages.has(root + order.get(below), root + order.get(above)))
                        .as("%s uses %s", order.get(below), order.get(above)).isFalse();
            }
        }
        assertThat(packages.size()).as("packages: function, port, user, queue").isEqualTo(order.size());
    }

    @Test
    void noCircleOfTheEthernetDriverIsLargerThanThreeClasses() {
        assertThat(of("io.manafold.ethernet").circles())
                .allSatisfy(circle -> assertThat(circle).hasSizeLessThanOrEqualTo(MOST));
    }

    @Test
    void noPackagesOfTheAdapterUseEachOther() {
        assertThat(of("io.manafold.adapter").by(Arrows::packageOf).circles()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.manafold.shell", "io.manafold.launcher"})
    void noPackagesOfWhatFacesPeopleUseEachOther(String bundle) {
        Path classes = BUNDLES.resolve(bundle).resolve("target/classes");
        Arrows packages = Arrows.among(classes, bundle).by(Arrows::packageOf);
        assertThat(packages.size()).as("packages of %s", bundle).isGreaterThan(2);
        assertThat(packages.circles()).isEmpty();
    }

    @Test
    void circlesAreFound() {
        Arrows arrows = new Arrows();
        arrows.add("a.One", "a.Two");
        arrows.add("a.Two", "b.Three");
        arrows.add("b.Three", "a.One");
        arrows.add("b.Three", "b.Four");
        assertThat(arrows.circles()).containsExactly(Set.of("a.One", "a.Two", "b.Three"));
        assertThat(arrows.by(Arrows::packageOf).circles()).containsExactly(Set.of("a", "b"));
    }
}
