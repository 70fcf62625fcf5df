package dev.waybill.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/Release.java} finds what somebody changes in a release after it was signed. The release here has one small artifact. */
@Tag("long")
class ReleaseCheckTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String KEY = "test@waybill.invalid";
    private static final String FOLDER = "dev/waybill/waybill-x/1/";

    @TempDir
    private static Path gpgHome;

    @TempDir
    private Path release;

    @BeforeAll
    static void makeKey() throws Exception {
        assumeTrue(Files.exists(ROOT.resolve(".git")), "the provenance names a commit");
        assumeTrue(onPath("gpg") && onPath("mvn"), "needs gpg and mvn");
        run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign", "1d");
    }

    @AfterAll
    static void endAgent() throws Exception {
        if (onPath("gpgconf")) {
            run("gpgconf", "--kill", "all");
        }
    }

    @BeforeEach
    void stage() throws Exception {
        for (String ending :
                List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml")) {
            Path file = staged(ending);
            Files.createDirectories(file.getParent());
            Files.writeString(file, ending.repeat(200));
            sign(file);
        }
        Files.writeString(staged(".jar.md5"), "of Maven");
        Files.writeString(staged("").resolveSibling("maven-metadata.xml"), "of Maven");
        run("gpg", "--batch", "--armor", "--output", release.resolve("key.asc").toString(), "--export", KEY);
        Said assembled = said("java", ".ci/Release.java", "assemble", release.toString(), "2026-01-01T00:00:00Z");
        assertThat(assembled.exitCode()).as(assembled.text()).isZero();
        sign(release.resolve("provenance.json"));
    }

    @Test
    void what_nobody_changed_has_no_faults() throws Exception {
        Said said = check();

        assertThat(said.text())
                .contains("0 faults")
                .containsPattern("signatures +7\n")
                .containsPattern("checksums +24\n");
        assertThat(said.exitCode()).isZero();
    }

    @Test
    void a_jar_that_is_altered_afterwards_fails_four_times() throws Exception {
        append(staged(".jar"));

        assertFaults(
                "waybill-x-1.jar has not the checksum of its .sha512",
                "waybill-x-1.jar has no valid signature",
                "waybill-x-1.jar is not the subject of the provenance",
                "waybill-x-1.jar is not what bundle.zip has");
    }

    @Test
    void a_file_that_is_altered_and_signed_again_is_not_that_of_provenance_and_bundle() throws Exception {
        append(staged(".pom"));
        sign(staged(".pom"));

        assertFaults(
                "waybill-x-1.pom is not the subject of the provenance", "waybill-x-1.pom is not what bundle.zip has");
        assertThat(check().text()).doesNotContain("has no valid signature");
    }

    @Test
    void a_signature_or_a_checksum_that_is_missing_is_found() throws Exception {
        Files.delete(staged("-sources.jar.asc"));
        Files.delete(staged("-javadoc.jar.sha1"));

        assertFaults(
                "waybill-x-1-sources.jar has no valid signature",
                "waybill-x-1-javadoc.jar has not the checksum of its .sha1");
    }

    @Test
    void a_provenance_that_leaves_out_a_jar_is_found_even_if_it_is_signed() throws Exception {
        Path provenance = release.resolve("provenance.json");
        Files.writeString(
                provenance, Files.readString(provenance).replaceFirst("\\{\"name\": \"[^\n]*-1.jar[^\n]*\n", ""));
        assertFaults("provenance.json has no valid signature");

        sign(provenance);

        assertFaults("waybill-x-1.jar is missing in the provenance");
    }

    @Test
    void an_artifact_without_sbom_and_a_release_without_notes_are_found() throws Exception {
        Files.delete(staged("-cyclonedx.json"));
        Files.writeString(release.resolve("notes.md"), "\n");

        assertFaults("waybill-x-1-cyclonedx.json is missing or empty", "notes.md is missing or says nothing");
    }

    private void assertFaults(String... faults) throws Exception {
        Said said = check();
        assertThat(said.text()).contains(faults);
        assertThat(said.exitCode()).isEqualTo(1);
    }

    private Said check() throws Exception {
        return said("java", ".ci/Release.java", "check", release.toString());
    }

    private Path staged(String ending) {
        return release.resolve("staging/" + FOLDER + "waybill-x-1" + ending);
    }

    private static void append(Path file) throws IOException {
        Files.writeString(file, " ", StandardOpenOption.APPEND);
    }

    private static void sign(Path file) throws Exception {
        run("gpg", "--batch", "--yes", "--armor", "--local-user", KEY, "--detach-sign", file.toString());
    }

    private static void run(String... command) throws Exception {
        Said said = said(command);
        assertThat(said.exitCode()).as(said.text()).isZero();
    }

    private static Said said(String... command) throws Exception {
        var builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(ROOT.toFile())
                .redirectErrorStream(true);
        builder.environment().put("GNUPGHOME", gpgHome.toString());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    private static boolean onPath(String name) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, name)));
    }

    private record Said(int exitCode, String text) {}
}
