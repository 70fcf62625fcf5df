import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Makes a release out of the folder {@code staging} that {@code mvn deploy} wrote, and checks a release. {@code .ci/release} calls
 * both; the check prints each fault and one table, and ends with 1 if there is a fault.
 *
 * <p>{@code java .ci/Release.java assemble DIRECTORY STARTED}, then {@code java .ci/Release.java check DIRECTORY}, in the project's
 * directory.
 */
class Release {
    private static final Map<String, String> CHECKSUMS =
            new TreeMap<>(Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512"));
    private static final Pattern CHECKSUM = Pattern.compile(".*\\.(md5|sha1|sha256|sha512)");
    private static final Pattern SUBJECT =
            Pattern.compile("\\{\"name\": \"([^\"]+)\", \"digest\": \\{\"sha256\": \"([^\"]+)\"}}");
    private static final List<String> ALWAYS = List.of(".pom", "-cyclonedx.json", "-cyclonedx.xml");
    private static final List<String> WITH_CODE = List.of(".jar", "-sources.jar", "-javadoc.jar");

    private final Path directory;
    private final Path staging;
    private final List<String> faults = new ArrayList<>();
    private final List<String> table = new ArrayList<>();

    private Release(Path directory) {
        this.directory = directory;
        this.staging = directory.resolve("staging");
    }

    public static void main(String[] args) throws Exception {
        var release = new Release(Path.of(args[1]));
        switch (args[0]) {
            case "assemble" -> release.assemble(args[2]);
            case "check" -> System.exit(release.check());
            default -> throw new IllegalArgumentException("assemble or check, and not " + args[0]);
        }
    }

    private void assemble(String started) throws Exception {
        for (Path file : files(staging)) {
            String name = name(file);
            if (name.startsWith("maven-metadata") || CHECKSUM.matcher(name).matches()) {
                Files.delete(file);
            }
        }
        for (Path file : artifacts()) {
            for (var checksum : CHECKSUMS.entrySet()) {
                Files.writeString(Path.of(file + "." + checksum.getKey()), digest(file, checksum.getValue()));
            }
        }
        Files.writeString(directory.resolve("notes.md"), notes(Files.readString(Path.of("CHANGELOG.md")), property("version")));
        Files.writeString(directory.resolve("provenance.json"), provenance(started));
        bundle();
    }

    /** The part of the version; in a rehearsal, of what has no version yet. */
    private static String notes(String changes, String version) {
        return Stream.of(version, "Unreleased")
                .map(heading -> Pattern.compile("(?ms)^## " + Pattern.quote(heading) + "\\b[^\n]*\n(.*?)(?=^## |\\z)").matcher(changes))
                .filter(Matcher::find)
                .findFirst()
                .map(part -> part.group(1).strip() + "\n")
                .orElse("");
    }

    private String provenance(String started) throws Exception {
        String tools = output("mvn", "-B", "-v");
        String jdk = group("Java version: ([^,]+)", tools) + ", " + group("vendor: ([^,\n]+)", tools);
        var subjects = new ArrayList<String>();
        for (Path file : subjects()) {
            subjects.add("{\"name\": \"%s\", \"digest\": {\"sha256\": \"%s\"}}".formatted(relative(file), digest(file, "SHA-256")));
        }
        return """
                {
                  "_type": "https://in-toto.io/Statement/v1",
                  "subject": [
                    %s
                  ],
                  "predicateType": "https://slsa.dev/provenance/v1",
                  "predicate": {
                    "buildDefinition": {
                      "buildType": "%s/releasing",
                      "externalParameters": {"command": ".ci/release", "version": "%s"},
                      "resolvedDependencies": [
                        {"uri": "%s", "digest": {"gitCommit": "%s"}, "annotations": {"dirty": %s}}
                      ]
                    },
                    "runDetails": {
                      "builder": {"id": "%s/releasing#not-hosted", "version": {"jdk": "%s", "maven": "%s"}},
                      "metadata": {"startedOn": "%s", "finishedOn": "%s"}
                    }
                  }
                }
                """
                .formatted(
                        String.join(",\n    ", subjects),
                        property("url"),
                        property("version"),
                        property("scm.connection").replace("scm:git:", "git+"),
                        output("git", "rev-parse", "HEAD"),
                        !output("git", "status", "--porcelain").isEmpty(),
                        property("url"),
                        jdk,
                        group("Apache Maven (\\S+)", tools),
                        started,
                        Instant.now().truncatedTo(ChronoUnit.SECONDS));
    }

    private void bundle() throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(directory.resolve("bundle.zip")))) {
            for (Path file : files(staging)) {
                zip.putNextEntry(new ZipEntry(relative(file)));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
    }

    private int check() throws Exception {
        checkModules();
        checkChecksums();
        checkSignatures();
        checkProvenance();
        checkBundle();
        Path notes = directory.resolve("notes.md");
        String text = Files.exists(notes) ? Files.readString(notes).strip() : "";
        require(text.length() > 100, notes, "is missing or says nothing");
        row("release notes", text.lines().count() + " lines");
        faults.forEach(System.out::println);
        table.forEach(System.out::println);
        System.out.println(faults.size() + " faults");
        return faults.isEmpty() ? 0 : 1;
    }

    private void checkModules() throws IOException {
        var modules = new TreeSet<Path>();
        artifacts().forEach(file -> modules.add(file.getParent()));
        for (Path module : modules) {
            String prefix = module.getParent().getFileName() + "-" + module.getFileName();
            Path pom = module.resolve(prefix + ".pom");
            boolean code = !Files.exists(pom) || !Files.readString(pom).contains("<packaging>pom</packaging>");
            Stream.concat(ALWAYS.stream(), code ? WITH_CODE.stream() : Stream.of()).forEach(ending -> {
                Path file = module.resolve(prefix + ending);
                require(Files.exists(file) && file.toFile().length() > 500, file, "is missing or empty");
            });
        }
        require(!modules.isEmpty(), staging, "has no artifact");
        row("artifacts, each with pom and SBOM", modules.size());
        row("files", artifacts().size());
    }

    private void checkChecksums() throws Exception {
        int seen = 0;
        for (Path file : artifacts()) {
            for (var checksum : CHECKSUMS.entrySet()) {
                Path written = Path.of(file + "." + checksum.getKey());
                require(
                        Files.exists(written) && Files.readString(written).equals(digest(file, checksum.getValue())),
                        file, "has not the checksum of its ." + checksum.getKey());
                seen++;
            }
        }
        for (Path file : files(staging)) {
            String of = file.toString().replaceFirst("\\.(md5|sha1|sha256|sha512|asc)$", "");
            require(Files.exists(Path.of(of)), file, "belongs to no file");
            require(!name(file).startsWith("maven-metadata"), file, "is nothing that the portal takes");
        }
        row("checksums", seen);
    }

    private void checkSignatures() throws Exception {
        Path home = Files.createTempDirectory("gpg");
        try {
            run(gpg(home, "--import", directory.resolve("key.asc").toString()));
            var signed = new ArrayList<>(artifacts());
            signed.add(directory.resolve("provenance.json"));
            for (Path file : signed) {
                require(run(gpg(home, "--verify", file + ".asc", file.toString())).endsWith("\n0"), file, "has no valid signature");
            }
            row("signatures", signed.size());
            row("signed by", group("(?m)^fpr:+([0-9A-F]+):", run(gpg(home, "--with-colons", "--fingerprint"))));
        } finally {
            run("gpgconf", "--homedir", home.toString(), "--kill", "all");
            for (Path file : files(home)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static String[] gpg(Path home, String... arguments) {
        return Stream.concat(Stream.of("gpg", "--batch", "--homedir", home.toString()), Stream.of(arguments)).toArray(String[]::new);
    }

    private void checkProvenance() throws Exception {
        Path provenance = directory.resolve("provenance.json");
        String statement = Files.exists(provenance) ? Files.readString(provenance) : "";
        var stated = new TreeMap<String, String>();
        SUBJECT.matcher(statement).results().forEach(subject -> stated.put(subject.group(1), subject.group(2)));
        for (var subject : stated.entrySet()) {
            Path file = staging.resolve(subject.getKey());
            require(Files.exists(file) && digest(file, "SHA-256").equals(subject.getValue()), file, "is not the subject of the provenance");
        }
        for (Path file : subjects()) {
            require(stated.containsKey(relative(file)), file, "is missing in the provenance");
        }
        row("subjects of the provenance", stated.size());
        row("source", group("\"gitCommit\": \"([0-9a-f]+)\"", statement) + (statement.contains("\"dirty\": false") ? "" : ", changed"));
        row("built by", group("\"version\": \\{(\"jdk\"[^}]+)}", statement).replace("\"", ""));
    }

    private void checkBundle() throws Exception {
        Path bundle = directory.resolve("bundle.zip");
        var staged = files(staging);
        try (var zip = new ZipFile(bundle.toFile())) {
            for (Path file : staged) {
                ZipEntry entry = zip.getEntry(relative(file));
                boolean same = entry != null;
                if (same) {
                    try (var content = zip.getInputStream(entry)) {
                        same = java.util.Arrays.equals(content.readAllBytes(), Files.readAllBytes(file));
                    }
                }
                require(same, file, "is not what bundle.zip has");
            }
            require(zip.size() == staged.size(), bundle, "has other files than the folder");
            row("files in bundle.zip", zip.size());
        } catch (IOException e) {
            require(false, bundle, "cannot be read: " + e.getMessage());
        }
    }

    private void row(String name, Object value) {
        table.add("%-34s %s".formatted(name, value));
    }

    private void require(boolean holds, Path where, String fault) {
        if (!holds) {
            faults.add(where + " " + fault);
        }
    }

    /** What is signed. */
    private List<Path> artifacts() throws IOException {
        return files(staging).stream()
                .filter(file -> !name(file).endsWith(".asc") && !CHECKSUM.matcher(name(file)).matches())
                .toList();
    }

    private List<Path> subjects() throws IOException {
        return artifacts().stream().filter(file -> name(file).matches(".*\\.(jar|pom)")).toList();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private String relative(Path file) {
        return staging.relativize(file).toString().replace('\\', '/');
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private static String digest(Path file, String algorithm) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    }

    /** The first element of this name in the root's pom: its own, and not that of a dependency. */
    private static String property(String name) throws IOException {
        return group("<" + Pattern.quote(name) + ">([^<]+)<", Files.readString(Path.of("pom.xml")));
    }

    private static String group(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? matcher.group(1).strip() : "unknown";
    }

    private static String output(String... command) throws Exception {
        String said = run(command);
        if (!said.endsWith("\n0")) {
            throw new IllegalStateException(String.join(" ", command) + ": " + said);
        }
        return said.substring(0, said.length() - 2).strip();
    }

    /** What the command said, and its exit code in a line of its own. */
    private static String run(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return said + "\n" + process.waitFor();
    }
}
