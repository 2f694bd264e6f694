package io.manafold.dropin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.dropin.internal.Bundles.Resident;
import io.manafold.dropin.internal.Bundles.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.osgi.framework.Version;

/** The whole way from the folder to the framework, with a clock turned by hand and a framework of maps. */
class FolderScannerTest {
    private static final long MS = 1_000_000;

    private final FakeBundles bundles = new FakeBundles();
    private final Told told = new Told();
    private final AtomicInteger scanned = new AtomicInteger();
    private boolean closed;
    private EventLog events = told;
    private Instant wall = Instant.EPOCH;
    private long now = 1000 * MS;
    private int written;
    @TempDir
    private Path temporary;
    private Path folder;
    private FolderScanner watch;

    @BeforeEach
    void begin() throws IOException {
        folder = Files.createDirectory(temporary.resolve("drivers"));
        watch = watch();
    }

    private FolderScanner watch() {
        EventJournal journal = new EventJournal(() -> events);
        Reconciler reconciler = new Reconciler(bundles, new StagingArea(temporary.resolve("taken")), journal,
                () -> closed);
        InstantSource clock = () -> wall;
        return new FolderScanner(new Folder(folder), Duration.ofMillis(200), 1 << 20, reconciler, journal, clock,
                () -> now, scanned::incrementAndGet);
    }

    /** Each write leaves another modification time, whatever the clock of the file system resolves. */
    private void write(String name, byte[] content) throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000L + written++));
    }

    private void drop(String name, String symbolicName, String version) throws IOException {
        write(name, Jars.bundle(symbolicName, version));
    }

    private void look() {
        watch.look();
        now += 100 * MS;
    }

    /** Looks until everything has stood still. */
    private void rest() {
        for (int looks = 0; looks < 4; looks++) {
            look();
        }
    }

    private void later() {
        now += 100_000 * MS;
        look();
    }

    @Test
    void aDroppedBundleIsInstalledAndStarted() throws Exception {
        look();
        drop("a.jar", "a", "1.0.0");
        look();
        look();
        assertThat(bundles.calls).isEmpty();
        look();

        assertThat(bundles.calls).containsExactly("install a 1.0.0", "start a 1.0.0");
        assertThat(told.sentences).containsExactly("BUNDLE_INSTALLED a.jar: a 1.0.0 was installed and started.");
    }

    @Test
    void aHalfCopiedFileIsLeftAlone() throws Exception {
        byte[] whole = Jars.bundle("a", "1.0.0");
        for (int length = 1; length < whole.length; length += 40) {
            write("a.jar", Arrays.copyOf(whole, length));
            look();
            look();
        }
        assertThat(told.sentences).isEmpty();
        write("a.jar", whole);
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
        assertThat(told.sentences).hasSize(1);
    }

    @Test
    void aFileThatStandsStillHalfCopiedIsNamedOnceAndTakenWhenItIsWhole() throws Exception {
        byte[] whole = Jars.bundle("a", "1.0.0");
        write("a.jar", Arrays.copyOf(whole, 300));
        rest();
        rest();
        assertThat(told.sentences).singleElement().asString().startsWith("BUNDLE_REFUSED a.jar is refused: it is not a "
                + "complete ZIP file");
        write("a.jar", Arrays.copyOf(whole, 310));
        rest();
        assertThat(told.sentences).hasSize(2);
        write("a.jar", whole);
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void aChangedFileReplacesItsBundle() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        drop("a.jar", "a", "1.1.0");
        rest();

        assertThat(bundles.calls).endsWith("replace a 1.0.0 by a 1.1.0", "start a 1.1.0");
        assertThat(told.sentences).last().isEqualTo(
                "BUNDLE_UPDATED a.jar: a 1.0.0 was replaced by a 1.1.0 and started.");
    }

    @Test
    void aTouchedFileIsReadAnew() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        drop("a.jar", "a", "1.0.0");
        rest();

        assertThat(told.sentences).last().isEqualTo("BUNDLE_UPDATED a.jar: a 1.0.0 was read anew and started.");
    }

    @Test
    void anAtomicallyReplacedFileIsAChange() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        drop(".a.jar.new", "a", "1.1.0");
        rest();
        assertThat(told.sentences).hasSize(1);
        Files.move(folder.resolve(".a.jar.new"), folder.resolve("a.jar"), StandardCopyOption.ATOMIC_MOVE);
        rest();

        assertThat(bundles.calls).contains("replace a 1.0.0 by a 1.1.0");
    }

    @Test
    void aDeletedFileTakesItsBundleAway() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        Files.delete(folder.resolve("a.jar"));
        rest();

        assertThat(bundles.installed).isEmpty();
        assertThat(told.sentences).last().isEqualTo("BUNDLE_REMOVED a.jar: a 1.0.0 was removed.");
    }

    @Test
    void aRenamedFileMovesItsBundleInOneStep() throws Exception {
        drop("b.jar", "a", "1.0.0");
        rest();
        Files.move(folder.resolve("b.jar"), folder.resolve("a.jar"));
        rest();

        assertThat(bundles.calls).endsWith("remove a 1.0.0", "install a 1.0.0", "start a 1.0.0");
        assertThat(told.sentences).noneMatch(sentence -> sentence.startsWith("BUNDLE_REFUSED"));
    }

    @Test
    void filesThatExchangeTheirContentsAreBothTaken() throws Exception {
        drop("a.jar", "a", "1.0.0");
        drop("b.jar", "a", "2.0.0");
        rest();
        drop("a.jar", "a", "2.0.0");
        drop("b.jar", "a", "1.0.0");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "a 2.0.0");
        assertThat(told.sentences).noneMatch(sentence -> sentence.startsWith("BUNDLE_REFUSED"));
    }

    @Test
    void twoVersionsRunSideBySide() throws Exception {
        drop("a-1.jar", "a", "1.0.0");
        drop("a-2.jar", "a", "2.0.0");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "a 2.0.0");
    }

    @Test
    void twoFilesOfOneNameAndVersionAreNamedBothAndTheSecondTakesOverWhenTheFirstGoes() throws Exception {
        drop("a.jar", "a", "1.0.0");
        drop("copy of a.jar", "a", "1.0.0");
        rest();
        assertThat(told.sentences).last().asString().isEqualTo("BUNDLE_REFUSED copy of a.jar is refused: a 1.0.0 is"
                + " there already, from a.jar; a name and version may be there once, so remove one of the two or give"
                + " this one another version.");
        Files.delete(folder.resolve("a.jar"));
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
        assertThat(told.sentences).last().isEqualTo(
                "BUNDLE_INSTALLED copy of a.jar: a 1.0.0 was installed and started.");
    }

    @Test
    void aBundleOfThePlatformIsNotTakenASecondTime() throws Exception {
        bundles.platform.add(new Identity("a", Version.parseVersion("1.0.0")));
        drop("a.jar", "a", "1.0.0");
        rest();

        assertThat(bundles.calls).isEmpty();
        assertThat(told.sentences).singleElement().asString().contains("from the platform itself");
    }

    @Test
    void aBrokenUpdateLeavesTheOldBundleAtWork() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        write("a.jar", new byte[500]);
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
        assertThat(told.sentences).last().asString().startsWith("BUNDLE_REFUSED").endsWith("a 1.0.0 stays at work.");
    }

    @Test
    void bundlesThatNeedEachOtherAreTakenTogetherInAnyOrder() throws Exception {
        bundles.needs.put("a", "b");
        drop("a.jar", "a", "1.0.0");
        look();
        drop("b.jar", "b", "1.0.0");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "b 1.0.0");
        assertThat(told.sentences).noneMatch(sentence -> sentence.startsWith("BUNDLE_REFUSED"));
    }

    @Test
    void aBundleThatLacksSomethingIsNamedAndTriedAgainWhenAnotherComes() throws Exception {
        bundles.needs.put("a", "b");
        drop("a.jar", "a", "1.0.0");
        rest();
        rest();
        assertThat(told.sentences).containsExactly("BUNDLE_REFUSED a.jar is refused: a 1.0.0 needs b.");
        assertThat(bundles.calls).containsExactly("install a 1.0.0", "start a 1.0.0");
        drop("b.jar", "b", "1.0.0");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "b 1.0.0");
    }

    @Test
    void aBundleThatLacksSomethingIsTriedAgainWhenThePlatformChanges() throws Exception {
        bundles.needs.put("a", "b");
        drop("a.jar", "a", "1.0.0");
        rest();
        bundles.needs.clear();
        rest();
        assertThat(bundles.running).isEmpty();
        watch.othersChanged();
        look();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void anActivatorThatThrowsIsNotRunAgainBeforeItsFileChanges() throws Exception {
        bundles.hindered.put("a", new Start.Failed("did not start: its activator threw X"));
        drop("a.jar", "a", "1.0.0");
        rest();
        watch.othersChanged();
        later();
        assertThat(bundles.calls).filteredOn("start a 1.0.0"::equals).hasSize(1);
        assertThat(told.sentences).singleElement().asString().contains("its activator threw X");
        bundles.hindered.clear();
        drop("a.jar", "a", "1.0.1");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.1");
    }

    @Test
    void whatTheFrameworkCannotDoJustNowIsTriedLater() throws Exception {
        bundles.onInstall = Declined.forNow("it could not be copied (disk full)");
        drop("a.jar", "a", "1.0.0");
        rest();
        rest();
        assertThat(told.sentences).singleElement().asString().contains("disk full");
        bundles.onInstall = null;
        later();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void aBundleThatCannotBeUninstalledIsTriedAgain() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        bundles.onRemove = Declined.forNow("the framework is busy");
        Files.delete(folder.resolve("a.jar"));
        rest();
        assertThat(told.sentences).last().asString().contains("could not be uninstalled, as the framework is busy");
        bundles.onRemove = null;
        later();

        assertThat(bundles.installed).isEmpty();
    }

    @Test
    void aBundleThatTakesItsTimeIsLeftAloneAndRefusedOnlyPastItsLimit() throws Exception {
        look();
        bundles.hindered.put("slow", new Start.UnderWay());
        drop("slow.jar", "slow", "1.0.0");
        drop("good.jar", "good", "1.0.0");
        rest();
        assertThat(bundles.runningNames()).containsExactly("good 1.0.0");
        assertThat(told.sentences).noneMatch(sentence -> sentence.contains("slow"));
        bundles.underWay.put("slow.jar", "the start has not returned");
        int asked = bundles.calls.size();
        drop("slow.jar", "slow", "2.0.0");
        rest();
        assertThat(bundles.calls).as("nothing is done about it meanwhile").hasSize(asked);
        bundles.overdue = true;
        rest();
        assertThat(told.sentences)
                .filteredOn(sentence -> sentence.contains("slow.jar is refused: the start has not returned"))
                .hasSize(1);
        bundles.underWay.clear();
        bundles.hindered.clear();
        rest();
        assertThat(bundles.runningNames()).containsExactly("good 1.0.0", "slow 2.0.0");
    }

    /** As when another bundle that listens for bundles does not return; the framework has it nevertheless. */
    private void dropUnfinished(String file, String name, String version) throws Exception {
        bundles.onInstall = Declined.unfinished();
        drop(file, name, version);
        rest();
        bundles.onInstall = null;
        assertThat(bundles.calls).endsWith("install " + name + " " + version);
    }

    @Test
    void anInstallationThatTakesItsTimeIsWaitedForAndHoldsUpNoOtherFile() throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        drop("good.jar", "good", "1.0.0");
        rest();
        assertThat(bundles.runningNames()).containsExactly("good 1.0.0");
        assertThat(told.sentences).noneMatch(sentence -> sentence.contains("slow"));
        bundles.overdue = true;
        look();
        assertThat(told.sentences).last().asString()
                .isEqualTo("BUNDLE_REFUSED slow.jar is refused: the installation has not returned.");
        bundles.underWay.clear();
        look();
        assertThat(bundles.calls).endsWith("installed slow.jar", "start slow 1.0.0");
        assertThat(told.sentences).last()
                .isEqualTo("BUNDLE_INSTALLED slow.jar: slow 1.0.0 was installed and started.");
        rest();
        assertThat(bundles.calls).endsWith("start slow 1.0.0");
    }

    @Test
    void whatWasInstalledAtLastForAFileThatIsGoneIsRemoved() throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        Files.delete(folder.resolve("slow.jar"));
        rest();
        assertThat(bundles.installed).hasSize(1);
        bundles.underWay.clear();
        look();
        assertThat(bundles.calls).endsWith("installed slow.jar", "remove slow 1.0.0");
        assertThat(bundles.installed).isEmpty();
        drop("slow.jar", "slow", "2.0.0");
        rest();
        assertThat(bundles.runningNames()).containsExactly("slow 2.0.0");
    }

    @Test
    void whatWasInstalledAtLastForAFileThatHasChangedIsReplaced() throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        drop("slow.jar", "slow", "2.0.0");
        rest();
        bundles.underWay.clear();
        look();
        assertThat(bundles.calls).endsWith("installed slow.jar", "replace slow 1.0.0 by slow 2.0.0",
                "start slow 2.0.0");
    }

    /** Between two steps of one look at the folder, in which it was found unfinished first. */
    @ParameterizedTest
    @ValueSource(strings = {"1.0.0", "2.0.0"})
    void whatReturnsInTheMidstOfALookIsNotTakenForDone(String version) throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        drop("a.jar", "a", "1.0.0");
        drop("slow.jar", "slow", version);
        bundles.meanwhile = bundles.underWay::clear;
        rest();
        rest();
        assertThat(bundles.calls).contains("installed slow.jar", "replace slow 1.0.0 by slow " + version);
        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "slow " + version);
        assertThat(told.sentences).noneMatch(sentence -> sentence.contains("refused"));
    }

    @Test
    void whatACallHasToReadIsThereUntilItReturns() throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        assertThat(bundles.copy).exists();
        assertThat(temporary.resolve("taken")).isDirectoryContaining(bundles.copy::equals);
        bundles.underWay.clear();
        look();
        assertThat(temporary.resolve("taken")).isEmptyDirectory();
    }

    /** Of the files that are there at first. */
    @Test
    void aFileWhoseInstallationIsUnfinishedIsWaitedForButNotForEver() throws Exception {
        bundles.onInstall = Declined.unfinished();
        drop("slow.jar", "slow", "1.0.0");
        rest();
        assertThat(bundles.calls).containsExactly("install slow 1.0.0");
        assertThat(scanned).hasValue(0);
        later();
        assertThat(scanned).hasValue(1);
    }

    @Test
    void anInstallationThatIsDeclinedAtLastIsTriedAgain() throws Exception {
        look();
        dropUnfinished("slow.jar", "slow", "1.0.0");
        bundles.onInstalled = Declined.forNow("the disk is full");
        bundles.underWay.clear();
        rest();
        assertThat(told.sentences).singleElement().asString().contains("slow.jar is refused: the disk is full");
        later();
        assertThat(bundles.runningNames()).containsExactly("slow 1.0.0");
    }

    @Test
    void aStopThatTakesItsTimeIsAskedForAgain() throws Exception {
        look();
        drop("a.jar", "a", "1.0.0");
        rest();
        bundles.onReplace = Declined.unfinished();
        drop("a.jar", "a", "2.0.0");
        rest();
        bundles.onReplace = null;
        look();
        assertThat(bundles.runningNames()).containsExactly("a 2.0.0");
        bundles.onRemove = Declined.unfinished();
        Files.delete(folder.resolve("a.jar"));
        rest();
        bundles.onRemove = null;
        look();
        assertThat(bundles.installed).isEmpty();
        assertThat(told.sentences).noneMatch(sentence -> sentence.contains("refused"));
    }

    @Test
    void bundlesStoppedForTheSakeOfAnUpdateAreStartedAgain() throws Exception {
        drop("a.jar", "a", "1.0.0");
        drop("b.jar", "b", "1.0.0");
        rest();
        long user = bundles.installed.values().stream().filter(each -> each.file().equals("b.jar")).findFirst()
                .orElseThrow().id();
        bundles.disturbed = Set.of(user);
        drop("a.jar", "a", "1.1.0");
        rest();

        assertThat(bundles.calls).endsWith("start a 1.1.0", "start b 1.0.0");
    }

    /** As when a file is removed, and is there again before the stop of its bundle has come to its end. */
    @Test
    void bundlesStoppedByACallThatIsAskedForNoMoreAreStartedAgain() throws Exception {
        drop("a.jar", "a", "1.0.0");
        drop("b.jar", "b", "1.0.0");
        rest();
        Resident user = bundles.installed.values().stream().filter(each -> each.file().equals("b.jar")).findFirst()
                .orElseThrow();
        bundles.running.remove(user.id());
        bundles.disturbedLater = Set.of(user.id());
        look();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0", "b 1.0.0");
    }

    @Test
    void aBundleUninstalledByHandIsInstalledWhenItsFileChanges() throws Exception {
        drop("a.jar", "a", "1.0.0");
        rest();
        bundles.installed.clear();
        bundles.running.clear();
        rest();
        assertThat(bundles.installed).isEmpty();
        drop("a.jar", "a", "1.0.0");
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void theFirstScanIsDoneWhenWhatLayThereHasBeenTaken() throws Exception {
        drop("a.jar", "a", "1.0.0");
        look();
        assertThat(scanned).hasValue(0);
        rest();

        assertThat(scanned).hasValue(1);
        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void theFirstScanTakesOneLookWhereFilesHaveLainUntouched() throws Exception {
        drop("a.jar", "a", "1.0.0");
        wall = Instant.now().plusSeconds(60);
        look();

        assertThat(scanned).hasValue(1);
        assertThat(bundles.runningNames()).containsExactly("a 1.0.0");
    }

    @Test
    void theFirstScanOfAnEmptyFolderIsDoneAtOnceAndOfAMissingOneToo() throws Exception {
        Files.delete(folder);
        look();

        assertThat(scanned).hasValue(1);
        assertThat(folder).isDirectory();
    }

    @Test
    void aFileThatNeverRestsDoesNotHoldUpTheFirstScanForEver() throws Exception {
        for (int looks = 0; looks < 22; looks++) {
            write("a.jar", new byte[looks + 1]);
            look();
        }
        assertThat(scanned).hasValue(1);
    }

    @Test
    void aFolderThatCannotBeMadeIsNamedOnceAndDoesNotHoldUpTheStart() throws Exception {
        Files.delete(folder);
        Files.createFile(folder);
        rest();

        assertThat(scanned).hasValue(1);
        assertThat(told.sentences).singleElement().asString().contains("cannot be read");
    }

    @Test
    void bundlesOfAnEarlierLifeAreRenewedOrRemovedWithTheirFiles() throws Exception {
        bundles.put("gone.jar", "gone", "1.0.0", 0, false);
        bundles.put("a.jar", "a", "1.0.0", 0, false);
        drop("a.jar", "a", "1.5.0");
        wall = Instant.now().plusSeconds(60);
        look();

        assertThat(bundles.calls).containsExactly("remove gone 1.0.0", "replace a 1.0.0 by a 1.5.0", "start a 1.5.0");
    }

    @Test
    void aBundleAtWorkFromAnUntouchedFileIsKept() throws Exception {
        drop("a.jar", "a", "1.0.0");
        bundles.put("a.jar", "a", "1.0.0", Instant.now().plusSeconds(1).toEpochMilli(), true);
        wall = Instant.now().plusSeconds(60);
        rest();
        assertThat(bundles.calls).isEmpty();
        Files.delete(folder.resolve("a.jar"));
        rest();

        assertThat(bundles.calls).containsExactly("remove a 1.0.0");
    }

    @Test
    void aBundleAtWorkWhoseFileChangedMeanwhileIsReplaced() throws Exception {
        bundles.put("a.jar", "a", "1.0.0", 0, true);
        drop("a.jar", "a", "1.1.0");
        rest();

        assertThat(bundles.calls).containsExactly("replace a 1.0.0 by a 1.1.0", "start a 1.1.0");
    }

    @Test
    void aBundleOfAnEarlierLifeWhoseFileVanishesDuringTheFirstLooksIsRemoved() throws Exception {
        bundles.put("a.jar", "a", "1.0.0", 0, true);
        drop("a.jar", "a", "1.1.0");
        look();
        Files.delete(folder.resolve("a.jar"));
        rest();

        assertThat(bundles.calls).containsExactly("remove a 1.0.0");
    }

    @Test
    void aStoppedBundleOfAnEarlierLifeWhoseFileIsBrokenNowIsRemoved() throws Exception {
        bundles.put("a.jar", "a", "1.0.0", 0, false);
        write("a.jar", new byte[9]);
        rest();

        assertThat(bundles.installed).isEmpty();
        assertThat(told.sentences).last().asString().contains("not a complete ZIP file");
    }

    @Test
    void emptyAndTooLargeFilesAndOtherThingsAreHarmless() throws Exception {
        write("empty.jar", new byte[0]);
        write("large.jar", new byte[(1 << 20) + 1]);
        Files.createDirectory(folder.resolve("folder.jar"));
        Files.createSymbolicLink(folder.resolve("loop.jar"), folder.resolve("loop.jar"));
        Path zero = Files.createSymbolicLink(folder.resolve("zero.jar"), Path.of("/dev/zero"));
        write("x.jar.part", new byte[3]);
        write("notes.txt", new byte[3]);
        rest();
        Files.delete(zero);

        assertThat(bundles.calls).isEmpty();
        assertThat(told.sentences).containsExactly("BUNDLE_REFUSED empty.jar is refused: it is empty.",
                "BUNDLE_REFUSED large.jar is refused: it has 1 MiB, and at most 1 MiB are taken; 'largest' in the"
                        + " configuration io.manafold.dropin raises that.");
    }

    @Test
    void aLinkToAJarElsewhereIsFollowed() throws Exception {
        Path elsewhere = Files.write(temporary.resolve("built.jar"), Jars.bundle("a", "1.0.0"));
        Files.createSymbolicLink(folder.resolve("a.jar"), elsewhere);
        rest();
        Files.write(elsewhere, Jars.bundle("a", "1.1.0.longer"));
        rest();

        assertThat(bundles.runningNames()).containsExactly("a 1.1.0.longer");
    }

    @Test
    void whatIsToldBeforeThereIsAnEventLogIsToldToItLater() throws Exception {
        events = null;
        drop("a.jar", "a", "1.0.0");
        rest();
        assertThat(told.sentences).isEmpty();
        events = told;
        look();

        assertThat(told.sentences).containsExactly("BUNDLE_INSTALLED a.jar: a 1.0.0 was installed and started.");
    }

    @Test
    void nothingIsBegunOnceTheWatchIsClosed() throws Exception {
        drop("a.jar", "a", "1.0.0");
        look();
        closed = true;
        rest();

        assertThat(bundles.calls).isEmpty();
    }

    @Test
    void noCopyIsLeftBehind() throws Exception {
        drop("a.jar", "a", "1.0.0");
        write("b.jar", new byte[100]);
        rest();

        assertThat(temporary.resolve("taken")).isEmptyDirectory();
    }

    /** An event log that remembers kinds and sentences. */
    private static final class Told implements EventLog {
        private final List<String> sentences = new ArrayList<>();

        @Override
        public List<DeviceEvent> recent() {
            return List.of();
        }

        @Override
        public Subscription subscribe(Consumer<DeviceEvent> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void post(Kind kind, String device, DriverChoice driver, String sentence) {
            sentences.add(kind + " " + sentence);
        }
    }
}
