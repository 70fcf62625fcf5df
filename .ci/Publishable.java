import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks what {@code mvn -Prelease verify -DskipTests} has left against the rules that Maven Central publishes, and a few of
 * our own. Prints each fault; ends with 1 if there is one.
 *
 * <p>{@code java .ci/Publishable.java [--signed]}, in the project's directory; with {@code --signed} {@code .ci/release} must have staged
 * each module, with a signature beside each file.
 */
class Publishable {
    private static final Set<String> REQUIRED =
            Set.of("groupId", "artifactId", "version", "name", "description", "url", "licenses", "developers", "scm");
    private static final Set<String> FORBIDDEN = Set.of("parent", "repositories", "pluginRepositories", "profiles", "build");

    private static final Path STAGING = Path.of("target/release/staging");

    private final List<String> faults = new ArrayList<>();
    private final boolean signed;
    private int modules;

    private Publishable(boolean signed) {
        this.signed = signed;
    }

    public static void main(String[] args) throws Exception {
        var check = new Publishable(List.of(args).contains("--signed"));
        try (Stream<Path> directories = Files.walk(Path.of("."), 2)) {
            for (Path pom : directories
                    .map(directory -> directory.resolve("target/.flattened-pom.xml"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()) {
                check.module(pom);
            }
        }
        check.faults.forEach(System.out::println);
        System.out.println(check.modules + " artifacts, " + check.faults.size() + " faults"
                + (check.signed ? "" : " (signatures not looked at)"));
        System.exit(check.modules > 0 && check.faults.isEmpty() ? 0 : 1);
    }

    private void module(Path pom) throws Exception {
        Path source = pom.getParent().getParent().resolve("pom.xml");
        if (Files.readString(source).contains("<maven.deploy.skip>true")) {
            return;
        }
        modules++;
        Element project = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(pom.toFile())
                .getDocumentElement();
        pom(pom, project);
        if (!"pom".equals(text(project, "packaging"))) {
            jars(pom.getParent(), text(project, "artifactId") + "-" + text(project, "version"));
        } else {
            present(pom.getParent().resolve("bom.xml"));
        }
        if (signed) {
            signatures(STAGING.resolve(text(project, "groupId").replace('.', '/'))
                    .resolve(text(project, "artifactId"))
                    .resolve(text(project, "version")));
        }
    }

    private void pom(Path pom, Element project) throws IOException {
        for (String name : REQUIRED) {
            require(child(project, name) != null, pom, "has no <" + name + ">");
        }
        for (String name : FORBIDDEN) {
            require(child(project, name) == null, pom, "has <" + name + ">");
        }
        String whole = Files.readString(pom);
        require(!whole.replace("${project.version}", "").contains("${"), pom, "has a property that is not filled in");
        require(!whole.contains("SNAPSHOT"), pom, "names a snapshot");
        require(!whole.contains("<systemPath>"), pom, "names a file of one machine");
        var versions = project.getElementsByTagName("dependency");
        for (int i = 0; i < versions.getLength(); i++) {
            var dependency = (Element) versions.item(i);
            require(child(dependency, "version") != null, pom, "has no version for " + text(dependency, "artifactId"));
        }
    }

    private void jars(Path target, String name) throws IOException {
        Path jar = target.resolve(name + ".jar");
        for (Path file : List.of(
                jar,
                target.resolve(name + "-sources.jar"),
                target.resolve(name + "-javadoc.jar"),
                target.resolve("bom.xml"),
                target.resolve("bom.json"))) {
            present(file);
        }
        if (!Files.exists(jar)) {
            return;
        }
        try (var opened = new JarFile(jar.toFile())) {
            require(opened.getEntry("META-INF/LICENSE") != null, jar, "has no licence");
            require(opened.getEntry("META-INF/NOTICE") != null, jar, "has no notice");
            String module = opened.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
            require(module != null && module.startsWith("dev.waybill"), jar, "has no module name");
        }
    }

    private void present(Path file) throws IOException {
        require(Files.exists(file) && Files.size(file) > 500, file, "is missing or empty");
    }

    private void signatures(Path staged) throws IOException {
        require(Files.isDirectory(staged), staged, "is missing");
        try (Stream<Path> files = Files.isDirectory(staged) ? Files.list(staged) : Stream.empty()) {
            files.filter(file -> file.toString().matches(".*\\.(jar|pom|json|xml)"))
                    .forEach(file -> require(Files.exists(Path.of(file + ".asc")), file, "has no signature"));
        }
    }

    private void require(boolean holds, Path where, String fault) {
        if (!holds) {
            faults.add(where + " " + fault);
        }
    }

    private static Element child(Element parent, String name) {
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element && element.getTagName().equals(name)) {
                return element;
            }
        }
        return null;
    }

    private static String text(Element parent, String name) {
        Element child = child(parent, name);
        return child == null ? "" : child.getTextContent().trim();
    }
}
