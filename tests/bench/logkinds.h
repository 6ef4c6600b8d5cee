/* What the logs say, and how often. Texts of Spark, Hadoop and the Kusto connector. */
#ifndef LOGKINDS_H
#define LOGKINDS_H

#include "logtext.h"

static const struct weighted driver_text[] = {
	{120, "INFO TaskSetManager: Starting task {d}.0 in stage {d}.0 (TID {d}) ({host}, executor {d}, "
	      "partition {d}, PROCESS_LOCAL, {d} bytes) taskResourceAssignments Map()"},
	{120, "INFO TaskSetManager: Finished task {d}.0 in stage {d}.0 (TID {d}) in {d} ms on {host} "
	      "(executor {d}) ({d}/{d})"},
	{60, "INFO BlockManagerInfo: Added broadcast_{d}_piece0 in memory on {host}:{d} (size: {f} KiB, "
	     "free: {f} MiB)"},
	{40, "INFO BlockManagerInfo: Removed broadcast_{d}_piece0 on {host}:{d} in memory (size: {f} KiB, "
	     "free: {f} MiB)"},
	{30, "INFO MemoryStore: Block broadcast_{d} stored as values in memory (estimated size {f} KiB, "
	     "free {f} MiB)"},
	{30, "INFO MemoryStore: Block broadcast_{d}_piece0 stored as bytes in memory (estimated size {f} "
	     "KiB, free {f} MiB)"},
	{14, "INFO DAGScheduler: Submitting ShuffleMapStage {d} (MapPartitionsRDD[{d}] at save at "
	     "NativeMethodAccessorImpl.java:0), which has no missing parents"},
	{14, "INFO DAGScheduler: ShuffleMapStage {d} (save at NativeMethodAccessorImpl.java:0) finished in "
	     "{f} s"},
	{10, "INFO DAGScheduler: ResultStage {d} (collect at {cls}.scala:{d}) finished in {f} s"},
	{10, "INFO DAGScheduler: Job {d} finished: collect at {cls}.scala:{d}, took {f} s"},
	{10, "INFO TaskSchedulerImpl: Adding task set {d}.0 with {d} tasks resource profile 0"},
	{10, "INFO TaskSchedulerImpl: Removed TaskSet {d}.0, whose tasks have all completed, from pool "},
	{16, "INFO MapOutputTrackerMasterEndpoint: Asked to send map output locations for shuffle {d} to "
	     "{ip}:{d}"},
	{12, "INFO ContextCleaner: Cleaned accumulator {d}"},
	{8, "INFO CodeGenerator: Code generated in {f} ms"},
	{8, "INFO FileSourceStrategy: Pushed Filters: IsNotNull({w}),EqualTo({w},{d}),"
	    "GreaterThanOrEqual({w},2024-01-01)"},
	{8, "INFO FileSourceStrategy: Output Data Schema: struct<{w}: string, {w}: bigint, {w}: timestamp, "
	    "{w}: double, {w}: int ... 12 more fields>"},
	{8, "INFO FileScanRDD: Reading File path: abfss://{w}@acct{d}.dfs.core.windows.net{path}.c000.snappy"
	    ".parquet, range: 0-{D}, partition values: [{d}]"},
	{6, "INFO YarnAllocator: Launching container {cont} on host {host} for executor with ID {d} for "
	    "ResourceProfile Id 0"},
	{6, "INFO Client: Application report for {app} (state: RUNNING)"},
	{4, "WARN TaskSetManager: Stage {d} contains a task with {d} KiB result; consider repartition"},
	{4, "WARN ProcfsMetricsGetter: Exception when trying to compute pagesize, as a result reporting of "
	    "ProcessTree metrics is stopped"},
	{3, "WARN SparkConf: The option 'spark.{w}.{w}' is set to {d} by {w}"},
	{6, "INFO KustoConnector: KustoWriter: Processing partition: '{d}' in requestId: '{uuid}'"},
	{6, "INFO KustoConnector: KustoWriter: Queued blob for ingestion in partition {d} for requestId: "
	    "'{uuid}'"},
	{6, "INFO KustoConnector: KustoWriter: Polling on ingestion results for requestId: {uuid}, will move "
	    "data to destination table when finished"},
	{4,
	 "INFO KustoConnector: ExtendedKustoClient: Executing management command: .show operations {uuid}, "
	 "retry number: 0"},
	{4, "INFO KustoConnector: FinalizeHelper: IngestionStatus { status: 'Succeeded', details: '', "
	    "activityId: {uuid} }"},
	{4, "DEBUG KustoConnector: ContainerProvider: Using SAS token from ingestion storage from cache for "
	    "{blob}?sv=2022-11-02&sig={hex}{hex}"},
	{3,
	 "INFO MicroBatchExecution: Streaming query made progress: id={uuid} batchId={d} numInputRows={d}"},
};

static const struct weighted executor_text[] = {
	{100, "INFO Executor: Running task {d}.0 in stage {d}.0 (TID {d})"},
	{100, "INFO Executor: Finished task {d}.0 in stage {d}.0 (TID {d}). {d} bytes result sent to driver"},
	{60, "INFO CoarseGrainedExecutorBackend: Got assigned task {d}"},
	{40,
	 "INFO ShuffleBlockFetcherIterator: Getting {d} ({f} KiB) non-empty blocks including {d} ({f} KiB) "
	 "local and {d} ({f} KiB) host-local and {d} ({f} KiB) push-merged-local and {d} ({f} KiB) remote "
	 "blocks"},
	{40, "INFO ShuffleBlockFetcherIterator: Started {d} remote fetches in {d} ms"},
	{30, "INFO TorrentBroadcast: Reading broadcast variable {d} took {d} ms"},
	{30, "INFO TorrentBroadcast: Started reading broadcast variable {d} with 1 pieces (estimated total "
	     "size 4.0 MiB)"},
	{30, "INFO MemoryStore: Block broadcast_{d} stored as values in memory (estimated size {f} KiB, free "
	     "{f} MiB)"},
	{20, "INFO BlockManager: Found block rdd_{d}_{d} locally"},
	{20, "INFO HadoopRDD: Input split: hdfs://{host}:8020{path}:{D}+{D}"},
	{20, "INFO FileOutputCommitter: Saved output of task 'attempt_202407011200_{d}_m_{d}_0' to "
	     "hdfs://{host}:8020{path}"},
	{20, "INFO SparkHadoopMapRedUtil: attempt_202407011200_{d}_m_{d}_0: Committed"},
	{10, "INFO PythonRunner: Times: total = {d}, boot = {d}, init = {d}, finish = {d}"},
	{10,
	 "INFO UnsafeExternalSorter: Thread {d} spilling sort data of {f} MiB to disk ({d}  times so far)"},
	{10, "INFO InternalParquetRecordReader: RecordReader initialized will read a total of {D} records."},
	{10, "INFO CodecPool: Got brand-new decompressor [.snappy]"},
	{6, "INFO KustoConnector: KustoWriter: Sealing blob in partition {d} for requestId: '{uuid}', blob "
	    "number {d}, with size {D}"},
	{6, "INFO KustoConnector: KustoWriter: Ingesting from blob(s) partition: {d} requestId: '{uuid}'"},
	{4, "WARN BlockReaderFactory: I/O error constructing remote block reader, retrying."},
};

static const struct weighted yarn_text[] = {
	{40,
	 "INFO [AsyncDispatcher event handler] org.apache.hadoop.yarn.server.nodemanager.containermanager."
	 "container.ContainerImpl: Container {cont} transitioned from LOCALIZED to RUNNING"},
	{40, "INFO [Container Monitor] org.apache.hadoop.yarn.server.nodemanager.containermanager.monitor."
	     "ContainersMonitorImpl: Memory usage of ProcessTree {d} for container-id {cont}: {f} MB of 8 GB "
	     "physical memory used; {f} MB of 16.8 GB virtual memory used"},
	{20,
	 "INFO [IPC Server handler {d} on default port 8041] SecurityLogger.org.apache.hadoop.ipc.Server: "
	 "Auth successful for appattempt_1719800000000_{d}_000001 (auth:SIMPLE)"},
	{20, "INFO [RMCommunicator Allocator] org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator: "
	     "Recalculating schedule, headroom=<memory:{d}, vCores:{d}>"},
	{20, "INFO [DeletionService #{d}] org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor: "
	     "Deleting absolute path : /mnt/yarn/usercache/livy/appcache/{app}/{cont}"},
	{10,
	 "INFO [ContainersLauncher #{d}] org.apache.hadoop.yarn.server.nodemanager."
	 "DefaultContainerExecutor: launchContainer: [bash, /mnt/yarn/usercache/livy/appcache/{app}/{cont}"
	 "/default_container_executor.sh]"},
	{10, "WARN [main] org.apache.hadoop.util.NativeCodeLoader: Unable to load native-hadoop library for "
	     "your platform... using builtin-java classes where applicable"},
};

static const struct weighted frame_text[] = {
	{1, "org.apache.spark.scheduler.Task.run(Task.scala:141)"},
	{1, "org.apache.spark.executor.Executor$TaskRunner.$anonfun$run$4(Executor.scala:620)"},
	{1, "org.apache.spark.util.SparkErrorUtils.tryWithSafeFinally(SparkErrorUtils.scala:64)"},
	{1, "org.apache.spark.executor.Executor$TaskRunner.run(Executor.scala:623)"},
	{1, "java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1149)"},
	{1, "java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:624)"},
	{1, "java.lang.Thread.run(Thread.java:750)"},
	{1, "org.apache.spark.rdd.RDD.computeOrReadCheckpoint(RDD.scala:367)"},
	{1, "org.apache.spark.rdd.RDD.iterator(RDD.scala:331)"},
	{1, "org.apache.spark.rdd.MapPartitionsRDD.compute(MapPartitionsRDD.scala:52)"},
	{1, "org.apache.spark.sql.execution.SparkPlan.$anonfun$execute$1(SparkPlan.scala:195)"},
	{1, "org.apache.spark.sql.execution.datasources.FileFormatWriter$.write(FileFormatWriter.scala:271)"},
	{1, "scala.collection.Iterator$$anon$10.next(Iterator.scala:461)"},
	{1, "com.microsoft.azure.kusto.ingest.QueuedIngestClientImpl.ingestFromBlob(QueuedIngestClientImpl."
	    "java:118)"},
	{1, "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage{d}."
	    "processNext(Unknown Source)"},
	{1,
	 "org.apache.spark.sql.execution.WholeStageCodegenExec$$anon$1.hasNext(WholeStageCodegenExec.scala:"
	 "760)"},
	{1, "org.apache.hadoop.ipc.Client$Connection.setupIOstreams(Client.java:868)"},
	{1, "sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)"},
	{1, "py4j.reflection.MethodInvoker.invoke(MethodInvoker.java:244)"},
	{1, "io.netty.channel.AbstractChannelHandlerContext.invokeChannelRead(AbstractChannelHandlerContext."
	    "java:442)"},
	{1, "com.azure.core.implementation.http.rest.SyncRestProxy.handleRestReturnType(SyncRestProxy.java:"
	    "{d})"},
	{1, "scala.util.Try$.apply(Try.scala:213)"},
};

static const struct weighted fault_text[] = {
	{1, "java.lang.InterruptedException: sleep interrupted"},
	{1, "org.apache.spark.TaskKilledException"},
	{1, "java.io.EOFException: reached end of stream after reading {d} bytes"},
	{1, "java.nio.channels.ClosedByInterruptException"},
	{1, "java.io.InterruptedIOException: Interrupted while waiting for IO on channel"},
	{1, "java.util.NoSuchElementException: key not found: {w}"},
	{1, "java.lang.ArrayIndexOutOfBoundsException: {d}"},
};

static const struct weighted logger_text[] = {
	{3, "org.apache.spark.scheduler.TaskSetManager"},
	{2, "org.apache.spark.storage.BlockManagerInfo"},
	{1, "org.apache.spark.scheduler.DAGScheduler"},
};

/* --- event logs --- */

static const struct weighted task_text[] = {
	{1, "{\"Event\":\"SparkListenerTaskStart\",\"Stage ID\":{d},\"Stage Attempt ID\":0,\"Task "
	    "Info\":{\"Task "
	    "ID\":{d},\"Index\":{d},\"Attempt\":0,\"Partition ID\":{d},\"Launch Time\":{D},\"Executor "
	    "ID\":\"{d}\","
	    "\"Host\":\"{host}\",\"Locality\":\"NODE_LOCAL\",\"Speculative\":false,\"Getting Result Time\":0,"
	    "\"Finish Time\":0,\"Failed\":false,\"Killed\":false,\"Accumulables\":[]}}"},
};

static const char task_end_text[] =
	"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":{d},\"Stage Attempt ID\":0,\"Task Type\":"
	"\"ShuffleMapTask\",\"Task End Reason\":{\"Reason\":\"Success\"},\"Task Info\":{\"Task "
	"ID\":{d},\"Index\":{d},"
	"\"Attempt\":0,\"Partition ID\":{d},\"Launch Time\":{D},\"Executor ID\":\"{d}\",\"Host\":\"{host}\","
	"\"Locality\":\"PROCESS_LOCAL\",\"Speculative\":false,\"Getting Result Time\":0,\"Finish Time\":{D},"
	"\"Failed\":false,\"Killed\":false,\"Accumulables\":[";

static const struct weighted update_text[] = {
	{2, "{\"ID\":{d},\"Name\":\"internal.metrics.shuffle.read.recordsRead\",\"Update\":{d},\"Value\":{D},"
	    "\"Internal\":true,\"Count Failed Values\":true}"},
	{2, "{\"ID\":{d},\"Name\":\"internal.metrics.executorRunTime\",\"Update\":{d},\"Value\":{D},"
	    "\"Internal\":true,\"Count Failed Values\":true}"},
	{1, "{\"ID\":{d},\"Name\":\"number of output "
	    "rows\",\"Update\":\"{d}\",\"Value\":\"{D}\",\"Internal\":true,"
	    "\"Count Failed Values\":true,\"Metadata\":\"sql\"}"},
};

static const char task_end_rest_text[] =
	"]},\"Task Executor "
	"Metrics\":{\"JVMHeapMemory\":{D},\"JVMOffHeapMemory\":{D},\"OnHeapExecutionMemory\":"
	"0,\"MajorGCCount\":{d},\"MajorGCTime\":{d}},\"Task Metrics\":{\"Executor Deserialize Time\":{d},"
	"\"Executor Run Time\":{d},\"JVM GC Time\":{d},\"Result Serialization Time\":0,\"Memory Bytes "
	"Spilled\":"
	"0,\"Disk Bytes Spilled\":0}}";

static const struct weighted plan_text[] = {
	{1, "{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart\",\"executionId\":"
	    "{d},\"description\":\"save at NativeMethodAccessorImpl.java:0\",\"details\":"
	    "\"org.apache.spark.sql.DataFrameWriter.save(DataFrameWriter.scala:243)\\n"
	    "sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\",\"physicalPlanDescription\":"
	    "\"== Physical Plan ==\\n"},
};

static const char plan_row_text[] =
	"+- * Project [{w}#{d}, {w}#{d}L, cast({w}#{d} as timestamp) AS {w}#{d}]\\n   "
	"+- * Filter (isnotnull({w}#{d}) AND ({w}#{d} = {d}))\\n";

#endif
