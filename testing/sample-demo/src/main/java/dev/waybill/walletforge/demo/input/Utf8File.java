package dev.waybill.walletforge.demo.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file as UTF-8 and says in which line it is not. */
final class Utf8File {
    private static final char BYTE_ORDER_MARK = 0xFEFF;

    private Utf8File() {}

    static String read(Path file) {
        String text = decode(file, bytes(file));
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }

    private static byte[] bytes(Path file) {
        if (Files.isDirectory(file)) {
            throw new BadInputException(file + ": is a directory");
        }
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new BadInputException(file + ": no such file");
        } catch (IOException e) {
            throw new BadInputException(file + ": cannot be read: " + e);
        }
    }

    private static String decode(Path file, byte[] bytes) {
        var in = ByteBuffer.wrap(bytes);
        // UTF-8 never makes more characters than it has bytes.
        var out = CharBuffer.allocate(bytes.length);
        // A fresh decoder reports what is malformed, unlike String's constructor.
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
        if (result.isError()) {
            throw new BadInputException(file, lineOf(bytes, in.position()), "not UTF-8");
        }
        return out.flip().toString();
    }

    private static long lineOf(byte[] bytes, int offset) {
        long line = 1;
        for (int i = 0; i < offset; i++) {
            if (bytes[i] == '\n') {
                line++;
            }
        }
        return line;
    }
}
