package dev.waybill.standalone.console.page.letter;

import dev.waybill.deadletter.DeadLetterExchange;
import dev.waybill.deadletter.ImportPreview;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.Database;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.RequestCheck;
import io.javalin.http.Context;
import io.javalin.http.UploadedFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** An uploaded file of dead letters with a bounded size. Immutable. */
public final class ImportFile {
    private final String text;
    private final String digest;

    private ImportFile(byte[] bytes) {
        if (bytes.length == 0) {
            throw new Refusal(400, "The file is empty. Choose another one.");
        }
        if (bytes.length > RequestCheck.LONGEST_FILE) {
            throw new Refusal(413, "A file has at most " + (RequestCheck.LONGEST_FILE >> 20) + " MiB here.");
        }
        this.text = text(bytes);
        this.digest = digest(bytes);
    }

    static ImportFile ofForm(Context request) throws IOException {
        @Nullable UploadedFile file = request.uploadedFile("file");
        if (file == null) {
            throw new Refusal(400, "Choose a file.");
        }
        try (InputStream in = file.content()) {
            return new ImportFile(in.readNBytes(RequestCheck.LONGEST_FILE + 1));
        }
    }

    public static ImportFile ofBody(Context request) throws IOException {
        return new ImportFile(request.bodyInputStream().readNBytes(RequestCheck.LONGEST_FILE + 1));
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refusal(400, "The file is not UTF-8, so it is not an export of dead letters.");
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The SHA-256 digest in hexadecimal. */
    public String digest() {
        return digest;
    }

    public ImportPreview preview(Database database) {
        return exchange(database).preview(lines());
    }

    /** Imports all lines or none; returns the number of new letters. */
    public int importInto(Database database, AuditContext instruction) {
        try {
            return exchange(database).importFrom(lines(), instruction);
        } catch (IllegalArgumentException e) {
            throw new Refusal(400, String.valueOf(e.getMessage()));
        }
    }

    private static DeadLetterExchange exchange(Database database) {
        return DeadLetterExchange.in(database.operators(), database.schema());
    }

    private BufferedReader lines() {
        return new BufferedReader(new StringReader(text));
    }
}
