import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;

/**
 * Prints the sizes of files, methods, packages, comments and docs, and the cycles of packages: java .ci/Measures.java. Ends with exit
 * code 1 if something is above its limit.
 */
public final class Measures {
    private static final int MOST_LINES = 300;
    private static final int MOST_PARAMETERS = 6;
    private static final int LONGEST_USUAL_METHOD = 12;
    /** A package is a room: a type that another room needs is public. ArchUnit checks which rooms may use it. */
    private static final int MOST_PUBLIC_PERCENT = 54;

    private static final int MOST_COMMENT_PERCENT = 12;
    private static final int MOST_FILES_OF_A_PACKAGE = 40;
    private static final int MOST_LINES_OF_DOCS = 6_500;
    private static final int MOST_LINES_OF_A_PAGE = 150;
    private static final int MOST_DESIGN_NOTES = 40;
    private static final Map<String, Integer> MOST_LINES_OF_A_MODULE =
            Map.of("inbox-consumer", 8_500, "operations/dead-letters", 8_500);

    private final List<Integer> files = new ArrayList<>();
    private final List<Integer> methods = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private int types;
    private int publicTypes;
    private int comments;

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        var all = new Measures();
        var modules = new TreeMap<String, Measures>();
        for (Path source : sources(root)) {
            var module = modules.computeIfAbsent(module(root.relativize(source).toString()), name -> new Measures());
            for (Measures measures : List.of(module, all)) {
                measures.add(root, source);
            }
        }
        System.out.printf("%-34s %5s %6s  %-15s %-15s %s%n", "", "files", "lines", "file 50/90/max", "method 50/90/max", "public  comments");
        modules.forEach((name, module) -> module.print(name, all));
        all.print("all", all);
        all.remarkOnAll();
        MOST_LINES_OF_A_MODULE.forEach((name, most) -> all.remark(
                sum(modules.get(name).files) > most, name + " has more than " + most + " lines of code"));
        all.remarkOnPackages(Packages.of(sources(root)));
        all.remarkOnDocs(root.resolve("docs"));
        all.remarks.forEach(System.out::println);
        if (!all.remarks.isEmpty()) {
            System.exit(1);
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root, 40)) {
            return paths.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> !path.toString().contains("examples/"))
                    .filter(path -> !path.toString().contains("/schema/jooq/") && !path.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }

    private static String module(String source) {
        return source.substring(0, source.indexOf("/src/main/java/"));
    }

    private void add(Path root, Path source) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var objects = compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source);
        var task = (JavacTask) compiler.getTask(null, null, null, null, null, objects);
        String text = Files.readString(source);
        BitSet code = codeLines(text);
        files.add(code.cardinality());
        comments += (int) text.lines().filter(line -> !line.isBlank()).count() - code.cardinality();
        String name = root.relativize(source).toString();
        remark(code.cardinality() > MOST_LINES, name + " has " + code.cardinality() + " lines of code");
        for (CompilationUnitTree unit : task.parse()) {
            unit.accept(new Scanner(unit, Trees.instance(task), code, name), null);
        }
    }

    private void remark(boolean isOne, String text) {
        if (isOne) {
            remarks.add(text);
        }
    }

    /** Lines with anything but blanks and comments. */
    private static BitSet codeLines(String text) {
        var lines = new BitSet();
        int line = 1;
        boolean block = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line++;
            } else if (block) {
                block = !text.startsWith("*/", i);
                i += block ? 0 : 1;
            } else if (text.startsWith("/*", i)) {
                block = true;
                i++;
            } else if (text.startsWith("//", i)) {
                i = text.indexOf('\n', i) - 1;
            } else if (text.startsWith("\"\"\"", i)) {
                int end = text.indexOf("\"\"\"", i + 3) + 3;
                for (; i < end - 1; i++) {
                    lines.set(line);
                    line += text.charAt(i) == '\n' ? 1 : 0;
                }
            } else if (c == '"' || c == '\'') {
                lines.set(line);
                for (i++; text.charAt(i) != c; i++) {
                    i += text.charAt(i) == '\\' ? 1 : 0;
                }
            } else if (!Character.isWhitespace(c)) {
                lines.set(line);
            }
        }
        return lines;
    }

    private void print(String name, Measures all) {
        System.out.printf(
                "%-34s %5d %6d  %-15s %-15s %3d %%   %4.1f %%   %d %% of all lines%n",
                name,
                files.size(),
                sum(files),
                spread(files),
                spread(methods),
                percentPublic(),
                percentComments(),
                100 * sum(files) / sum(all.files));
    }

    private void remarkOnAll() {
        remark(ninetieth(methods) > LONGEST_USUAL_METHOD, "a tenth of all methods have more than " + LONGEST_USUAL_METHOD + " lines");
        remark(percentPublic() > MOST_PUBLIC_PERCENT, percentPublic() + " % of all types are public");
        remark(percentComments() > MOST_COMMENT_PERCENT, comments + " lines of comments to " + sum(files) + " lines of code");
    }

    private double percentComments() {
        return 100.0 * comments / Math.max(1, sum(files));
    }

    private void remarkOnPackages(Packages packages) {
        packages.files.forEach((name, files) ->
                remark(files > MOST_FILES_OF_A_PACKAGE, name + " has " + files + " files"));
        List<String> cycle = packages.cycle();
        remark(!cycle.isEmpty(), "a cycle of packages: " + String.join(" -> ", cycle));
        System.out.printf("%n%d packages, the largest of %d files%n", packages.files.size(), Collections.max(packages.files.values()));
    }

    private void remarkOnDocs(Path docs) throws IOException {
        int lines = 0;
        for (Path page : pages(docs)) {
            int length = Files.readAllLines(page).size();
            lines += length;
            remark(length > MOST_LINES_OF_A_PAGE, page + " has " + length + " lines");
        }
        int notes = pages(docs.resolve("contributing/design")).size() - 1;
        remark(lines > MOST_LINES_OF_DOCS, "docs have " + lines + " lines");
        remark(notes > MOST_DESIGN_NOTES, notes + " design notes");
        System.out.printf("docs: %d lines in %d pages, %d design notes%n", lines, pages(docs).size(), notes);
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(".md")).sorted().toList();
        }
    }

    private int percentPublic() {
        return 100 * publicTypes / Math.max(1, types);
    }

    private static int ninetieth(List<Integer> values) {
        return values.stream().sorted().skip(values.size() * 9L / 10).findFirst().orElse(0);
    }

    private static int sum(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).sum();
    }

    private static String spread(List<Integer> values) {
        List<Integer> sorted = values.stream().sorted().toList();
        return sorted.isEmpty()
                ? "-"
                : sorted.get(sorted.size() / 2) + " / " + ninetieth(sorted) + " / " + sorted.get(sorted.size() - 1);
    }

    private final class Scanner extends TreeScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final Trees trees;
        private final BitSet code;
        private final String name;
        private int depth;
        private boolean boundByName;

        Scanner(CompilationUnitTree unit, Trees trees, BitSet code, String name) {
            this.unit = unit;
            this.trees = trees;
            this.code = code;
            this.name = name;
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            if (depth++ == 0) {
                types++;
                publicTypes += tree.getModifiers().getFlags().contains(Modifier.PUBLIC) ? 1 : 0;
            }
            boolean byPosition = tree.getKind() == Tree.Kind.RECORD && !isBoundByName(tree);
            long components = byPosition ? components(tree) : 0;
            remark(components > MOST_PARAMETERS, name + ": record " + tree.getSimpleName() + " has " + components + " components");
            boolean outer = boundByName;
            boundByName = isBoundByName(tree);
            super.visitClass(tree, nothing);
            boundByName = outer;
            depth--;
            return null;
        }

        /** A record that Spring fills from configuration keys: nobody calls its constructor. */
        private static boolean isBoundByName(ClassTree record) {
            return record.getMembers().stream()
                    .anyMatch(member -> member instanceof VariableTree field
                            && field.getModifiers().getAnnotations().stream()
                                    .anyMatch(each -> each.getAnnotationType().toString().equals("DefaultValue")));
        }

        private static long components(ClassTree record) {
            return record.getMembers().stream()
                    .filter(member -> member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                    .count();
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            remark(
                    !boundByName && tree.getParameters().size() > MOST_PARAMETERS,
                    name + ": " + tree.getName() + " has " + tree.getParameters().size() + " parameters");
            if (tree.getBody() != null) {
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree.getBody()));
                long last = lines.getLineNumber(trees.getSourcePositions().getEndPosition(unit, tree.getBody()));
                methods.add(Math.max(0, code.get((int) first + 1, (int) Math.max(first + 1, last)).cardinality()));
            }
            return super.visitMethod(tree, nothing);
        }
    }

    /** Who imports whom. The package above may know those below it: its facades are built of them. */
    private static final class Packages {
        private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
        private static final Pattern IMPORT = Pattern.compile("^import (?:static )?([a-z][a-z0-9_.]*)\\.[A-Z]", Pattern.MULTILINE);

        private final Map<String, Integer> files = new TreeMap<>();
        private final Map<String, Set<String>> imports = new TreeMap<>();

        static Packages of(List<Path> sources) throws IOException {
            var packages = new Packages();
            for (Path source : sources) {
                packages.add(source, Files.readString(source));
            }
            return packages;
        }

        private void add(Path source, String text) {
            var declared = PACKAGE.matcher(text);
            if (!declared.find()) {
                throw new IllegalStateException(source + " has no package");
            }
            String name = declared.group(1);
            files.merge(name, 1, Integer::sum);
            Set<String> known = imports.computeIfAbsent(name, any -> new TreeSet<>());
            IMPORT.matcher(text)
                    .results()
                    .map(found -> found.group(1))
                    .filter(other -> !other.startsWith(name + ".") && !other.equals(name))
                    .forEach(known::add);
        }

        /** The packages of one cycle; none if there is none. */
        List<String> cycle() {
            var done = new HashSet<String>();
            for (String start : imports.keySet()) {
                List<String> found = cycle(start, new ArrayList<>(), done);
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return List.of();
        }

        private List<String> cycle(String at, List<String> way, Set<String> done) {
            if (way.contains(at)) {
                return way.subList(way.indexOf(at), way.size());
            }
            if (!done.contains(at)) {
                way.add(at);
                for (String next : imports.getOrDefault(at, Set.of())) {
                    List<String> found = cycle(next, way, done);
                    if (!found.isEmpty()) {
                        return found;
                    }
                }
                way.remove(at);
                done.add(at);
            }
            return List.of();
        }
    }
}
