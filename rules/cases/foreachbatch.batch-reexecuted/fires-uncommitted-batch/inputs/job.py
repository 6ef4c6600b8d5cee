def upsert(batch_df, batch_id):
    (batch_df.withColumn("load_ts", F.current_timestamp())
        .write.format("delta").mode("append").save("/mnt/lake/silver/orders"))

q = (orders.writeStream.foreachBatch(upsert)
        .option("checkpointLocation", "/mnt/lake/_chk/orders")
        .trigger(processingTime="1 minute").start())
