package dev.waybill.walletforge.demo.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.waybill.walletforge.demo.proof.Proof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The proof's figures as one JSON object. */
public final class ReportFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportFile() {}

    /** Writes the report, over any earlier one. */
    public static void write(Path file, Proof proof) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(proof.figures()) + "\n");
    }
}
