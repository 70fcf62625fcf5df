package dev.waybill.proof.plant;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The planted bugs, and the compiler that plants them. They are never part of the product. */
public final class PlantedBugs {
    private PlantedBugs() {}

    /** All that there are, by name. */
    public static List<PlantedBug> all() throws IOException {
        return read("/planted/bugs.txt")
                .lines()
                .filter(name -> !name.isBlank())
                .map(PlantedBugs::load)
                .toList();
    }

    /**
     * Those of these names.
     *
     * @throws IllegalArgumentException if one is unknown
     */
    public static List<PlantedBug> named(List<String> names) throws IOException {
        return names.equals(List.of("all"))
                ? all()
                : names.stream().map(PlantedBugs::load).toList();
    }

    private static PlantedBug load(String name) {
        try {
            return PlantedBug.parse(name, read("/planted/bugs/" + name + ".txt"));
        } catch (IOException e) {
            throw new IllegalArgumentException("There is no planted bug " + name, e);
        }
    }

    /** The file with the mistake. */
    static String mistaken(PlantedBug bug) throws IOException {
        return bug.in(read("/planted/sources/" + bug.file()));
    }

    /**
     * Compiles the file with the mistake.
     *
     * @return the directory, to be put first on the class path
     */
    public static Path compile(PlantedBug bug, Path classes) throws IOException {
        String mistaken = mistaken(bug);
        Path relative = Path.of(bug.file().substring(bug.file().indexOf('/') + 1));
        if (!bug.file().endsWith(".java")) {
            Path copy = classes.resolve(relative);
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, mistaken);
            return classes;
        }
        Path source = classes.resolveSibling("sources").resolve(relative);
        Files.createDirectories(source.getParent());
        Files.createDirectories(classes);
        Files.writeString(source, mistaken);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("Planting a bug needs a JDK, and this is a Java runtime");
        }
        int result = compiler.run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "--release",
                "17",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                source.toString());
        if (result != 0) {
            throw new IllegalStateException("The planted bug " + bug.name() + " does not compile");
        }
        return classes;
    }

    private static String read(String resource) throws IOException {
        try (InputStream in = PlantedBugs.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException("The resource " + resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
