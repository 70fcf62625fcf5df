package dev.waybill.standalone.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds words of the command line and variables that the JVM could not decode. It replaces their characters, so that a verb
 * would look for another name, and report truthfully that there is none.
 */
final class UndecodedText {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final char REPLACEMENT = '\uFFFD';
    private static final List<String> OF_JAVA = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS");

    private UndecodedText() {}

    /** What is wrong and what to do; empty if all was decoded. */
    static Optional<String> find(String[] arguments, Map<String, String> variables) {
        return ofVariables(variables)
                .or(() -> ofWords(arguments))
                .map(what -> what + " has characters that the locale of this process cannot read (encoding "
                        + System.getProperty("sun.jnu.encoding")
                        + "); nothing was done. Set a locale with UTF-8, such as LC_ALL=C.UTF-8");
    }

    private static Optional<String> ofVariables(Map<String, String> variables) {
        return variables.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith("WAYBILL_") || OF_JAVA.contains(variable.getKey()))
                .filter(variable -> variable.getValue().indexOf(REPLACEMENT) >= 0
                        || variable.getKey().indexOf(REPLACEMENT) >= 0)
                .map(variable -> "The environment variable " + variable.getKey())
                .findFirst();
    }

    // The launcher of the JVM replaces characters by question marks, which only the bytes tell from real ones.
    private static Optional<String> ofWords(String[] arguments) {
        try {
            Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
            return words(Files.readAllBytes(COMMAND_LINE))
                    .filter(word -> !isDecodable(word, charset))
                    .map(UndecodedText::named)
                    .findFirst();
        } catch (IOException | IllegalArgumentException e) {
            return Arrays.stream(arguments)
                    .filter(word -> word.indexOf(REPLACEMENT) >= 0)
                    .map(word -> "The argument '" + word + "'")
                    .findFirst();
        }
    }

    private static Stream<byte[]> words(byte[] commandLine) {
        String joined = new String(commandLine, StandardCharsets.ISO_8859_1);
        return Arrays.stream(joined.split("\0", -1)).map(word -> word.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static boolean isDecodable(byte[] word, Charset charset) {
        try {
            charset.newDecoder().decode(ByteBuffer.wrap(word));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static String named(byte[] word) {
        return "The argument '" + new String(word, StandardCharsets.UTF_8) + "'";
    }
}
